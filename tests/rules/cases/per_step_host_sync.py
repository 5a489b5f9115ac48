"""PIPE802 per-step-host-sync: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

STEP = """
        import tensorflow as tf
        from nets import model, optimizer, batches

        {}
        def train_step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
            return loss

"""


def after_a_step(loops: dict[str, str]) -> Table:
    """Each loop behind a step that is traced and behind one that is not: a result is waited for alike."""
    kinds = {"a traced step": "@tf.function", "an eager step": ""}
    return {
        f"{title}, {kind}": STEP.format(decorator) + loop
        for title, loop in loops.items()
        for kind, decorator in kinds.items()
    }


READS = {
    "numpy": """
        for step, x in enumerate(batches):
            loss = train_step(x)
            losses.append(loss.numpy())  #! PIPE802 warning
    """,
    "float": """
        for step, x in enumerate(batches):
            loss = train_step(x)
            total += float(loss)  #! PIPE802 warning
    """,
    "print": """
        for step, x in enumerate(batches):
            loss = train_step(x)
            print(step, loss)  #! PIPE802 warning
    """,
    "an f-string": """
        for step, x in enumerate(batches):
            loss = train_step(x)
            bar.set_description(f'{loss:.3f}')  #! PIPE802 warning
    """,
    "format": """
        for step, x in enumerate(batches):
            loss = train_step(x)
            bar.set_description('{:.3f}'.format(loss))  #! PIPE802 warning
    """,
    "a percent sign": """
        for step, x in enumerate(batches):
            loss = train_step(x)
            print('%f' % loss)  #! PIPE802 warning
    """,
    "a test": """
        for step, x in enumerate(batches):
            loss = train_step(x)
            if loss < 0.1:  #! PIPE802 warning
                break
    """,
    "a computed value": """
        for step, x in enumerate(batches):
            loss = train_step(x)
            print(float(loss * 2))  #! PIPE802 warning
    """,
    "numpy on the call itself": """
        for x in batches:
            loss = train_step(x).numpy()  #! PIPE802 warning
    """,
}

NO_READS = {
    "kept as a tensor": """
        for step, x in enumerate(batches):
            loss = train_step(x)
            metric.update_state(loss)
            losses.append(loss)
    """,
    "every hundredth step": """
        for step, x in enumerate(batches):
            loss = train_step(x)
            if step % 100 == 0:
                print(float(loss))
    """,
    "by a variable that counts": """
        for step, x in enumerate(batches):
            loss = train_step(x)
            due = step % 100 == 0
            if due:
                print(float(loss))
    """,
    "other steps are skipped": """
        for step, x in enumerate(batches):
            loss = train_step(x)
            if step % 100:
                continue
            print(float(loss))
    """,
    "behind the loop": """
        for step, x in enumerate(batches):
            loss = train_step(x)
        print(float(loss))
    """,
    "behind the steps of an epoch": """
        for _ in range(90):
            for x in batches:
                loss = train_step(x)
            print(float(loss))
    """,
    "once an epoch": """
        for epoch in range(90):
            print(float(train_step(data)))
    """,
    "a loop of a few steps": """
        for _ in range(3):
            print(float(train_step(data)))
    """,
    "a loop that plays": """
        for step, x in enumerate(batches):
            loss = train_step(x)
            state = env.step(int(loss))
    """,
    "the step already gives numbers": """
        for x, y in batches:
            print(float(model.train_on_batch(x, y)))
    """,
}

FOUND: Table = {
    "read, printed and tested": """
        import tensorflow as tf

        @tf.function
        def train_step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
            return loss

        for x in batches:
            loss = train_step(x)
            losses.append(loss.numpy())  #! PIPE802 warning
            print(f"loss {loss}")  #! PIPE802 warning
            if loss < 0.1:  #! PIPE802 warning
                break
    """,
    "a step written out in the loop": """
        import tensorflow as tf
        for x in batches:
            with tf.GradientTape() as tape:
                loss = loss_of(x)
            optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
            print(float(loss))  #! PIPE802 warning
    """,
    "inside a step that reads its own loss": Case(
        """
        import tensorflow as tf
        from nets import model, optimizer, batches

        def train_step(x):  #! PIPE701 warning
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
            return loss.numpy()  #! PIPE802 warning

        for x in batches:
            print(train_step(x))
        """,
        beside=("PIPE701",),
    ),
    **after_a_step(READS),
}

SILENT: Table = {
    "every hundred steps, and after the loop": """
        import tensorflow as tf

        @tf.function
        def train_step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
            return loss

        for step, x in enumerate(batches):
            loss = train_step(x)
            if step % 100 == 0:
                print(float(loss))
        print(float(loss))
    """,
    "once an epoch, behind the steps": """
        import tensorflow as tf

        @tf.function
        def train_step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
            return loss

        for _ in range(100):
            for x in batches:
                loss = train_step(x)
            print(loss.numpy())
    """,
    **after_a_step(NO_READS),
}

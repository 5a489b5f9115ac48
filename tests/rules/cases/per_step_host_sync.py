"""PIPE802 per-step-host-sync: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

STEP = """
        import tensorflow as tf
        from nets import optimizer, batches

        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])

        {}
        def train_step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
            return loss

"""


def after_a_step(loops: dict[str, str]) -> Table:
    """Each loop behind a step that is traced."""
    return {title: STEP.format("@tf.function") + loop for title, loop in loops.items()}


READS = {
    "kept in a record for others to show": """
        for batch in batches:
            loss = train_step(batch)
            record["loss"] = loss.numpy()  #! PIPE802 advice
            board.show(record)
    """,
    "read again, when it is there": """
        for step, x in enumerate(batches):
            loss = train_step(x)
            losses.append(float(loss))  #! PIPE802 advice
            show(float(loss))
    """,
    "read again, after another step": """
        for step, x in enumerate(batches):
            loss = train_step(x)
            losses.append(float(loss))  #! PIPE802 advice
            loss = train_step(noisy(x))
            losses.append(float(loss))  #! PIPE802 advice
    """,
    "two results": """
        for step, x in enumerate(batches):
            loss = train_step(x)
            losses.append(float(loss))  #! PIPE802 advice
            other = train_step(noisy(x))
            losses.append(float(other))  #! PIPE802 advice
    """,
    "in two loops": """
        for step, x in enumerate(batches):
            loss = train_step(x)
            losses.append(float(loss))  #! PIPE802 advice
        for step, x in enumerate(batches):
            loss = train_step(x)
            losses.append(float(loss))  #! PIPE802 advice
    """,
    "numpy": """
        for step, x in enumerate(batches):
            loss = train_step(x)
            losses.append(loss.numpy())  #! PIPE802 advice
    """,
    "float": """
        for step, x in enumerate(batches):
            loss = train_step(x)
            total += float(loss)  #! PIPE802 advice
    """,
    "print": """
        for step, x in enumerate(batches):
            loss = train_step(x)
            print(step, loss)  #! PIPE802 advice
    """,
    "an f-string": """
        for step, x in enumerate(batches):
            loss = train_step(x)
            bar.set_description(f'{loss:.3f}')  #! PIPE802 advice
    """,
    "format": """
        for step, x in enumerate(batches):
            loss = train_step(x)
            bar.set_description('{:.3f}'.format(loss))  #! PIPE802 advice
    """,
    "a percent sign": """
        for step, x in enumerate(batches):
            loss = train_step(x)
            print('%f' % loss)  #! PIPE802 advice
    """,
    "two reads in one statement": """
        for step, x in enumerate(batches):
            loss = train_step(x)
            print(loss.numpy(), float(loss), f"{loss}")  #! PIPE802 advice
    """,
    "a running total": """
        total = 0.0
        for step, x in enumerate(batches):
            total += train_step(x)
            bar.set_postfix({"loss": "%.4f" % (total / (step + 1))})  #! PIPE802 advice
    """,
    "a progress bar and a log, which make a text of it themselves": """
        import logging
        for step, x in enumerate(batches):
            loss = train_step(x)
            bar.set_postfix(loss=loss)  #! PIPE802 advice
            logging.info("loss %f", loss)
    """,
    "a step that a strategy runs": """
        strategy = tf.distribute.get_strategy()
        @tf.function
        def run_step(x):
            return strategy.experimental_run_v2(train_step, args=(x,))
        for x in batches:
            print(float(run_step(x)))  #! PIPE802 advice
    """,
    "put together from what each replica gives": """
        strategy = tf.distribute.get_strategy()
        @tf.function
        def run_step(x):
            return strategy.run(train_step, args=(x,))
        for x in batches:
            total += strategy.reduce("SUM", run_step(x), axis=None)
            print(f"{total}")  #! PIPE802 advice
    """,
    "behind a test that leaves the loop": """
        for step, x in enumerate(batches):
            if step >= last:
                break
            loss = train_step(x)
            if stopped():
                break
            losses.append(float(loss))  #! PIPE802 advice
    """,
    "behind a test that skips the step as well": """
        for x in batches:
            if x is None:
                continue
            losses.append(float(train_step(x)))  #! PIPE802 advice
    """,
    "in a function that is followed from two places": """
        def run(batches):
            for x in batches:
                loss = train_step(x)
                least = min(least, float(loss))  #! PIPE802 advice
                most = max(most, float(loss))
        run(batches)
        run(reversed(batches))
    """,
    "in a function that two loops call": """
        def step_and_tell(x):
            loss = train_step(x)
            tell(float(loss))  #! PIPE802 advice
            keep(float(loss))
        for x in batches:
            step_and_tell(x)
        for x in reversed(batches):
            step_and_tell(x)
    """,
    "a metric that the step updates": """
        mean = tf.keras.metrics.Mean()
        for step, x in enumerate(batches):
            mean.update_state(train_step(x))
            message = "{:.4f}".format(mean.result())  #! PIPE802 advice
            log(f"{mean.result()}")
    """,
    "two metrics, told once, and one of them again behind another step": """
        mean, worst = tf.keras.metrics.Mean(), tf.keras.metrics.Mean()
        for step, x in enumerate(batches):
            mean.update_state(train_step(x))
            log(f"{mean.result()}")  #! PIPE802 advice
            log(f"{worst.result()}")
            mean.update_state(train_step(-x))
            log(float(mean.result()))  #! PIPE802 advice
    """,
    "a metric by the name it has in TensorFlow": """
        mean = tf.metrics.Mean()
        for step, x in enumerate(batches):
            mean.update_state(train_step(x))
            message = "{:.4f}".format(mean.result())  #! PIPE802 advice
    """,
    "a computed value": """
        for step, x in enumerate(batches):
            loss = train_step(x)
            print(float(loss * 2))  #! PIPE802 advice
    """,
    "numpy on the call itself": """
        for x in batches:
            loss = train_step(x).numpy()  #! PIPE802 advice
    """,
}

NO_READS = {
    "the rate of learning is read as well, which waits as long": """
        for x in tf.data.TFRecordDataset("rows").batch(32):
            bar.set_postfix(loss=float(train_step(x)), rate=optimizer.lr.numpy())
    """,
    "each turn writes a summary, which waits as long": """
        for step, x in enumerate(tf.data.TFRecordDataset("rows").batch(32)):
            loss = train_step(x)
            tf.summary.scalar("loss", loss, step=step)
            print(float(loss))
    """,
    "steps in some turns of a loop that gathers data": """
        for turn in range(90_000):
            memory.add(pick_up(robot))
            if turn > 500 and turn % every == 0:
                losses.append(float(train_step(memory.sample(32))))
    """,
    "pictures for which a step takes long": """
        inputs = tf.keras.Input((512, 512, 3))
        for x in tf.data.TFRecordDataset("rows").batch(32):
            print(float(train_step(x)))
    """,
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
    "in the turns without a step": """
        for step, x in enumerate(batches):
            if step % 100:
                loss = train_step(x)
            else:
                print(float(loss))
    """,
    "a bar of Keras, which writes no more than twenty times a second": """
        bar = tf.keras.utils.Progbar(100)
        for step, x in enumerate(batches):
            bar.update(step, values=[("loss", train_step(x))])
    """,
    "other steps are skipped": """
        for step, x in enumerate(batches):
            loss = train_step(x)
            if step % 100:
                continue
            print(float(loss))
    """,
    "a metric once an epoch": """
        mean = tf.keras.metrics.Mean()
        for epoch in range(90):
            for x in batches:
                mean.update_state(train_step(x))
            print(f"{mean.result()}")
    """,
    "a test": """
        for step, x in enumerate(batches):
            loss = train_step(x)
            if loss < 0.1:
                break
    """,
    "a test of its own beside a guarded step": """
        for step, x in enumerate(batches):
            loss = train_step(x)
            if loss > 0.15:
                seen.append(step)
            if twice:
                train_step(x)
    """,
    "a test for numbers that are none ends the run": """
        import numpy as np
        for step, x in enumerate(batches):
            loss = train_step(x)
            if np.isnan(loss):
                raise FloatingPointError(step)
            print(f"{loss:.3f}")
    """,
    "the next network trains on it in the same turn": """
        for batch in batches:
            surprise = train_step(batch)
            rewards = surprise.numpy().reshape(-1, 1)
            rewards = rewards / rewards.std()
            batch["rewards"] = rewards
            player.learn(batch)
    """,
    "printed behind a wait that is timed": """
        import time
        for x in batches:
            started = time.perf_counter()
            loss = train_step(x).numpy()
            durations.append(time.perf_counter() - started)
            print("{:.3f}".format(loss))
    """,
    "a further step depends on it": """
        for step, x in enumerate(batches):
            loss = train_step(x)
            if (loss > 0.15):
                train_step(x)
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
    "once for each run through the data, in a function": """
        def run_through(data):
            for x in data:
                loss = train_step(x)
            return loss
        while True:
            print(float(run_through(batches)))
    """,
    "a turn that takes many steps": """
        for _ in range(100):
            for _ in range(500):
                loss = train_step(next(draws))
            print(float(loss))
    """,
    "a loop of a few steps": """
        for _ in range(3):
            print(float(train_step(data)))
    """,
    "a loop that plays": """
        for step, x in enumerate(batches):
            loss = train_step(x)
            state, reward, done, info = world.step(int(loss))
    """,
    "a loop that plays in an environment of gymnasium": """
        import gymnasium
        world = gymnasium.make("CartPole-v1")
        for step, x in enumerate(batches):
            moved = world.step(int(train_step(x)))
    """,
    "a graph that takes many steps in one call": """
        @tf.function
        def episode(x):
            for _ in tf.range(500):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(model(x))
                optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
            return loss
        for x in batches:
            print(float(episode(x)))
    """,
    "the wait is what is timed": """
        import time
        for x in batches:
            started = time.perf_counter()
            train_step(x).numpy()
            durations.append(time.perf_counter() - started)
    """,
    "the times of steps are kept": """
        import time
        ends = []
        for step, x in enumerate(batches):
            train_step(x).numpy()
            if step > 10:
                ends.append(time.perf_counter())
    """,
    "an object takes the time of each step": """
        import time
        class Meter:
            def __init__(self):
                self.ends = []
            def __call__(self):
                self.ends.append(time.perf_counter())
        meter = Meter()
        for x in batches:
            train_step(x).numpy()
            meter()
    """,
    "the step already gives numbers": """
        for x, y in batches:
            print(float(model.train_on_batch(x, y)))
    """,
}

ACCELERATORS = {
    "a strategy": "strategy = tf.distribute.MirroredStrategy()",
    "a device": 'tf.device("/device:GPU:0").__enter__()',
    "mixed precision": 'tf.keras.mixed_precision.set_global_policy("mixed_float16")',
    "XLA": "model.compile(jit_compile=True)",
    "memory that grows": "tf.config.experimental.set_memory_growth(devices[0], True)",
}
ON_A_CPU = {
    "a device that is none": 'tf.device("/CPU:0").__enter__()',
    "one plain policy": 'tf.keras.mixed_precision.set_global_policy("float32")',
    "a name with the letters": 'tf.device("/job:gpuless").__enter__()',
}


ON_AN_ACCELERATOR = {
    "an iterator of a dataset": """
        rows = iter(tf.data.TFRecordDataset("rows").batch(32).repeat())
        for _ in range(100_000):
            print(float(train_step(next(rows))))  #! PIPE802 advice
    """,
    "batches of which nothing is known": """
        for x in batches:
            print(float(train_step(x)))  #! PIPE802 advice
    """,
    "a run of a few hundred steps": """
        rows = iter(tf.data.TFRecordDataset("rows").batch(32).repeat())
        for _ in range(500):
            print(float(train_step(next(rows))))  #! PIPE802 advice
    """,
    "so is the input, which is there": """
        for x in tf.data.TFRecordDataset("rows").batch(32):
            print(float(train_step(x)), x.numpy().max())  #! PIPE802 advice
    """,
    "the rate is read now and then": """
        for step, x in enumerate(tf.data.TFRecordDataset("rows").batch(32)):
            print(float(train_step(x)))  #! PIPE802 advice
            if step % 500 == 0:
                print(optimizer.lr.numpy())
    """,
}


def reads_beside(settings: dict[str, str], severity: str) -> Table:
    """A read in every step of a program that sets this up."""
    loop = f"""
        {{}}
        for x in tf.data.TFRecordDataset("rows").batch(32):
            print(float(train_step(x)))  #! PIPE802 {severity}
    """
    return {
        f"{severity}, with {title}": STEP.format("@tf.function") + loop.format(setting)
        for title, setting in settings.items()
    }


FOUND: Table = {
    "a test of something else ends the loop": """
        import tensorflow as tf

        @tf.function
        def learn(x):
            loss, gradients = loss_and_gradients(x)
            optimizer.apply_gradients(gradients)
            return loss

        for turn, x in enumerate(batches):
            loss = learn(x)
            history.append(loss.numpy())  #! PIPE802 advice
            if turn > limit:
                break
    """,
    "each part of a result, in a loop of its own": """
        import tensorflow as tf
        strategy = tf.distribute.MirroredStrategy()

        def train_step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
            return {"loss": loss}

        @tf.function
        def distributed(x):
            results = strategy.run(train_step, args=(x,))
            return {name: strategy.reduce("SUM", value, axis=None) for name, value in results.items()}

        for x in tf.data.TFRecordDataset("rows").batch(32):
            line = ""
            for name, value in distributed(x).items():
                line += f"{name} {value:.3f} "  #! PIPE802 advice
            print(line)
    """,
    "a step that calls Python waits for it anyway, as advice": """
        import tensorflow as tf
        from scipy.optimize import linear_sum_assignment

        tf.keras.mixed_precision.set_global_policy("mixed_float16")

        def matched(costs):
            return tf.numpy_function(linear_sum_assignment, [costs], [tf.int64, tf.int64])

        @tf.function
        def train_step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.gather(*matched(model(x))))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
            return loss

        for x in batches:
            print(train_step(x).numpy())  #! PIPE802 advice
    """,
    **reads_beside(ACCELERATORS, "advice"),
    **reads_beside(ON_A_CPU, "advice"),
    **{
        title: STEP.format("@tf.function") + "        strategy = tf.distribute.MirroredStrategy()\n" + loop
        for title, loop in ON_AN_ACCELERATOR.items()
    },
    "a timer and a profiler are no environment": STEP.format("@tf.function")
    + """
        for x in batches:
            timer.reset()
            loss = train_step(x)
            profiler.step()
            print(float(loss))  #! PIPE802 advice
    """,
    "a clock that is read once around all steps": STEP.format("@tf.function")
    + """
        import time
        started = time.time()
        for x in batches:
            print(float(train_step(x)))  #! PIPE802 advice
        print(time.time() - started)
    """,
    "names that hold the letters of others": STEP.format("@tf.function").replace("train_step", "autoencoder_step")
    + """
        for truncated, folder_batches in enumerate(model_inputs):
            print(float(autoencoder_step(folder_batches)))  #! PIPE802 advice
    """,
    **after_a_step(READS),
    "one of several things that a traced step gives, made out of sight": """
        import tensorflow as tf
        from nets import model, optimizer, batches, parts_of_loss

        @tf.function
        def train_step(x):
            with tf.GradientTape() as tape:
                total, boxes = parts_of_loss(model(x))
            optimizer.apply_gradients(zip(tape.gradient(total, model.variables), model.variables))
            return total, boxes

        for x in batches:
            total, boxes = train_step(x)
            history.append(boxes.numpy())  #! PIPE802 advice
    """,
}

SILENT: Table = {
    "another result of the step ends the loop": """
        import tensorflow as tf
        from parallel import averaged

        @tf.function
        def learn(x):
            loss, distance, gradients = parts(x)
            optimizer.apply_gradients(gradients)
            return loss, distance

        for x in batches:
            loss, distance = learn(x)
            history.append(loss.numpy())
            far = averaged(distance.numpy())
            if far > 1.5 * limit:
                break
    """,
    "every tf.function of the program runs as plain Python": """
        import tensorflow as tf

        tf.config.run_functions_eagerly(True)

        @tf.function
        def learn(x):
            loss, gradients = loss_and_gradients(x)
            optimizer.apply_gradients(gradients)
            return loss

        for x in batches:
            history.append(learn(x).numpy())
    """,
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
            losses.append(loss.numpy())
            print(f"loss {loss}")
            if loss < 0.1:
                break
    """,
    "beside a file that each step saves": """
        import numpy as np
        import tensorflow as tf
        @tf.function
        def train_step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
            return loss
        for step, x in enumerate(batches):
            loss = train_step(x)
            np.save(f"losses/{step}.npy", loss.numpy())
    """,
    "a loader of Keras makes the next batch in the same turn, in Python": """
        import tensorflow as tf
        strategy = tf.distribute.MirroredStrategy()
        pictures = tf.keras.preprocessing.image.ImageDataGenerator().flow_from_directory("pictures")
        @tf.function
        def train_step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(net(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))
            return loss
        for epoch in range(20):
            turn = iter(pictures)
            for _ in range(len(pictures)):
                losses.append(float(train_step(next(turn))))
    """,
    "a step that needs more than a decorator, followed from two places": """
        import tensorflow as tf
        from nets import model, optimizer, batches
        tf.keras.mixed_precision.set_global_policy("mixed_float16")

        def train_step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
            print(loss.numpy(), rate(loss.numpy()))

        def run(batches):
            for x in batches:
                train_step(x)
        run(batches)
        run(reversed(batches))
    """,
    "a branch for debugging beside one that calls fit": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        if flags.mode == "eager_tf":
            for x in batches:
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(model(x))
                optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
                print(loss.numpy())
        else:
            model.fit(batches)
    """,
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
    "a step written out in the loop": """
        import tensorflow as tf
        for x in batches:
            with tf.GradientTape() as tape:
                loss = loss_of(x)
            optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
            print(float(loss))
    """,
    **after_a_step(NO_READS),
    "a step that runs op by op, beside an accelerator too": STEP.format("")
    + """
        strategy = tf.distribute.MirroredStrategy()
        for x in batches:
            print(float(train_step(x)))
    """,
    "a step that needs more than a decorator": """
        import tensorflow as tf
        from nets import model, optimizer, batches

        def train_step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
            return loss.numpy()

        for x in batches:
            print(train_step(x))
    """,
}

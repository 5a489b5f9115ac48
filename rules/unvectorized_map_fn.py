from __future__ import annotations

from pipelint.rule import Evidence, Example, Findings, Program, Region, Rule, Severity

from ._rows_at_once import may_run_at_once, vectorized


class UnvectorizedMapFn(Rule):
    """`tf.map_fn` runs a function for each row of a tensor, one after the other.

    ## What it finds
    `tf.map_fn` in a graph whose function calls only operations, at least one, that TensorFlow can run once for all
    rows: arithmetic, reductions, products of matrices, reshaping and the like.

    ## Why it matters
    `map_fn` becomes a loop in the graph: each turn starts every operation again, writes to a list of tensors, and
    gradients walk it back. `tf.vectorized_map` runs each operation once, on all rows.

    ## When to ignore it
    When a single row is work enough for the machine, or when all rows at once take too much memory: as nobody can tell
    that from the source, and half of what was found in public code was of that kind, the rule is off by default. Silent
    outside of graphs, where the function decodes, draws at random, branches, calls a model or anything else that is not
    known to run at once, and with `swap_memory` or `parallel_iterations`, which are about memory.

    ## Fix safety
    Unsafe: `tf.vectorized_map` needs results of one shape, holds those of all rows and of each operation at once, and
    may round differently.

    ## References
    - https://www.tensorflow.org/api_docs/python/tf/vectorized_map
    """

    code = "PIPE709"
    name = "unvectorized-map-fn"
    severity = Severity.ADVICE
    fix = "unsafe"
    default = False
    words = ("map_fn",)
    examples = (
        Example(
            "a norm for each row",
            """
            import tensorflow as tf

            @tf.function
            def norms(rows):
                return tf.map_fn(lambda row: tf.sqrt(tf.reduce_sum(row * row)), rows)

            for rows in batches:
                norms(rows)
            """,
            """
            import tensorflow as tf

            @tf.function
            def norms(rows):
                return tf.vectorized_map(lambda row: tf.sqrt(tf.reduce_sum(row * row)), rows)

            for rows in batches:
                norms(rows)
            """,
        ),
        Example(
            "pictures to decode",
            """
            import tensorflow as tf

            @tf.function
            def serve(pictures):
                return model(tf.map_fn(tf.io.decode_jpeg, pictures, fn_output_signature=tf.uint8))
            """,
            silent=True,
        ),
        Example(
            "little memory",
            """
            import tensorflow as tf

            @tf.function
            def products(rows):
                return tf.map_fn(lambda row: tf.tensordot(row, row, 0), rows, parallel_iterations=1)
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="unvectorized-map-fn")

    def check(self, program: Program) -> Findings:
        told: set[Region] = set()
        for trace in program.traces if program.runs_on_tensorflow else ():
            for call in trace.calls:
                if (
                    call.symbol == "tensorflow.map_fn"
                    and call.name not in told
                    and may_run_at_once(program, trace, call)
                ):
                    told.add(call.name)
                    yield self.finding(
                        call.name,
                        "map_fn runs its function row by row in a loop of the graph; tf.vectorized_map runs each operation once, on all rows",
                        fix=vectorized(call),
                    )

"""What has the methods of a dataset and is none."""

from __future__ import annotations

import pytest

from tests.cases import prove

OTHERS = {
    "a column of pandas": """
        import pandas as pd
        frame = pd.read_csv(path)
        frame['x'] = frame['x'].map(int)
    """,
    "a pool of processes": """
        from multiprocessing import Pool
        with Pool(4) as pool:
            results = pool.map(load, paths)
    """,
    "an executor": """
        from concurrent.futures import ThreadPoolExecutor
        executor = ThreadPoolExecutor()
        list(executor.map(load, paths))
    """,
    "a tree of jax": """
        import jax
        params = jax.tree.map(lambda x: x * 2, params)
        for p in jax.tree.map(f, params).batch(2): train(p)
    """,
    "a collection of Spark": """
        from pyspark import SparkContext
        rdd = SparkContext().textFile(path)
        for row in rdd.map(parse).cache().collect(): train(row)
    """,
    "a dataset of Hugging Face": """
        from datasets import load_dataset
        ds = load_dataset('imdb')['train'].map(tokenize).shuffle(7).batch(4)
        for x in ds: train(x)
    """,
    "an operation of Keras": """
        import keras
        y = keras.ops.map(f, xs)
        for row in y: train(row)
    """,
    "a tensor that is called ds": """
        ds = tf.strings.split(line)
        for word in ds: train(word)
    """,
    "a module that is called dataset": """
        import dataset
        rows = dataset.map(parse)
        for row in rows: train(row)
    """,
    "the map of Python": """
        for x in map(parse, lines): train(x)
    """,
}


@pytest.mark.parametrize("source", OTHERS.values(), ids=OTHERS)
def test_what_is_no_dataset(source: str) -> None:
    prove("        import tensorflow as tf" + source, "PIPE1", "PIPE2", "PIPE3", "PIPE4", "PIPE801")

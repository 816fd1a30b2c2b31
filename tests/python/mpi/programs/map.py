"""Checks on every rank that `map` gives what a loop gives: python map.py THREADS MESSAGE_BYTES."""

import sys

import numpy as np

from intarsia._core import ColumnPool
from intarsia.executor import SerialExecutor, make_executor
from intarsia.executor.mpi import serialise


def mixed(task, shared):
    """Results of every kind: nothing, numbers, arrays of several types and orders, a pool."""
    pool = ColumnPool(len(shared))
    pool.add(np.array([task % 3, 5], dtype=np.int32), task / 3, task)
    table = np.asfortranarray(shared[: 1 + task % 4].astype(np.float32))
    return {
        "nothing": None,
        "text": f"task {task}",
        "sum": shared[: task + 1].sum(),
        "empty": np.empty((0, 3)),
        "table": table,
        "labels": np.full(task, task, dtype=np.int32),
        "pool": pool,
    }


def flat(results):
    """Everything as comparable bytes."""
    return [
        [
            (
                name,
                (v.members.tobytes(), v.costs.tobytes(), v.origins.tobytes())
                if isinstance(v, ColumnPool)
                else (v.dtype.str, v.shape, v.tobytes(), v.flags.writeable)
                if isinstance(v, np.ndarray)
                else v,
            )
            for name, v in result.items()
        ]
        for result in results
    ]


def nested(task, shared):
    """A task that asks for an executor of its own gets one that needs nobody else."""
    return make_executor(3).map(lambda t, s: t * s, range(task), shared)


def main(n_threads, message_bytes):
    serialise.MESSAGE_BYTES = message_bytes
    executor = make_executor(n_threads)
    assert executor.n_workers == executor.n_ranks * n_threads
    shared = np.random.default_rng(0).normal(size=(50, 4))
    for n_tasks in (0, 1, 2, 30):
        told = []
        got = executor.map(mixed, range(n_tasks), shared, told.append)
        assert flat(got) == flat(SerialExecutor().map(mixed, range(n_tasks), shared))
        assert told == (list(range(1, n_tasks + 1)) if executor.rank == 0 else [])
    assert executor.map(nested, range(5), 2) == [[2 * t for t in range(n)] for n in range(5)]
    assert executor.agree({"rank": executor.rank, "x": shared + executor.rank})["rank"] == 0
    assert (executor.agree(shared + executor.rank) == shared).all()
    if executor.rank == 0:
        print(executor.n_ranks)


main(int(sys.argv[1]), int(sys.argv[2]))

"""`map` over ranks: the results of a loop, in its order, on every rank; uneven work balances."""

from __future__ import annotations

import json

import pytest


@pytest.mark.parametrize(
    ("n_ranks", "n_threads", "message_bytes"), [(1, 1, 2**30), (2, 2, 2**30), (3, 1, 1000), (4, 1, 5000)]
)
def test_results_are_those_of_a_loop_on_every_rank(mpirun, n_ranks, n_threads, message_bytes):
    done = mpirun(n_ranks, "map.py", n_threads, message_bytes)
    assert done.code == 0, done.err  # each rank compares for itself
    assert done.out == f"{n_ranks}\n"


def test_uneven_tasks_balance(mpirun):
    done = mpirun(3, "balance.py")
    assert done.code == 0, done.err
    ranks = json.loads(done.out)
    # thirty short tasks take the other two as long as the long one takes its rank: a third each would wait
    assert ranks.count(ranks[0]) <= 4
    assert set(ranks) == {0, 1, 2}

"""What ranks have to agree on; with real ranks in tests/python/mpi/test_agreement.py."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

from intarsia import ConsensusClustering, FuzzyCMeans, GaussianMixture, HKMeans, KMeans, RandomSwap
from intarsia.executor import SerialExecutor, ThreadExecutor, executor_for_runs, use_executor
from intarsia.executor.choose import agreed_seed, check_same_call, check_same_fit

X = np.random.default_rng(0).normal(size=(40, 2))


class Together(SerialExecutor):
    """Rank 0 of two; the other one is asked for what this one is, changed by `other`."""

    n_ranks = 2

    def __init__(self, other=lambda value: value):
        self.other = other
        self.n_messages = 0

    def agree(self, value):
        self.n_messages += 1
        return value

    def gather(self, value):
        self.n_messages += 1
        return [value, self.other(value)]


def test_a_number_needs_no_message():
    ranks = Together()
    assert agreed_seed(5, ranks) == 5
    assert ranks.n_messages == 0
    assert agreed_seed(None, ranks) >= 0
    assert agreed_seed(np.random.default_rng(3), ranks) == np.random.default_rng(3).integers(2**63)
    assert ranks.n_messages == 2
    with pytest.raises(ValueError, match="random_state=-1 should be >= 0"):
        agreed_seed(-1, ranks)


def test_one_rank_agrees_with_itself():
    check_same_call(SerialExecutor(), "f", x=object())
    check_same_call(Together(), "f", x=X, y="text", z={"a": [1, 2.0, None]})


CHANGES = {
    "function": (("g", {"x": "1"}), "rank 0 calls f and rank 1 g: every"),
    "value": (("f", {"x": "2"}), "f: x is 1 on rank 0 and 2 on rank 1: every"),
    "more": (("f", {"x": "1", "y": "2"}), "f: y is None on rank 0 and 2 on rank 1: every"),
    "less": (("f", {}), "f: x is 1 on rank 0 and None on rank 1: every"),
}


@pytest.mark.parametrize("kind", CHANGES)
def test_a_difference_is_named(kind):
    call, message = CHANGES[kind]
    with pytest.raises(ValueError, match=message):
        check_same_call(Together(lambda _: call), "f", x=1)


def test_arrays_count_by_their_values():
    seen = []
    for array in (X, np.asfortranarray(X), X + 0.0, X[::-1], X.astype(np.float32), X[:-1]):
        check_same_call(Together(lambda call: seen.append(call[1]["x"]) or call), "f", x=array)
    assert seen[0] == seen[1] == seen[2]
    assert len(set(seen)) == 4


def test_objects_count_by_their_types_and_who_computes_does_not_count():
    asked = []
    ranks = Together(lambda call: asked.append(call) or call)
    check_same_fit(ranks, KMeans(3, random_state=np.random.default_rng(0), n_threads=2, executor=ranks), X=X)
    function, given = asked[0]
    assert function == "KMeans"
    assert given["random_state"] == "a numpy.random._generator.Generator"
    assert {"n_threads", "executor"}.isdisjoint(given)
    of_the_runs = {"n_clusters", "init", "n_init", "max_iter", "tol", "random_state", "X"}
    assert of_the_runs | {"verbose", "copy_x", "algorithm"} == set(given)


@pytest.mark.parametrize(
    "model",
    [
        KMeans(3, n_init=3),
        HKMeans(3, n_init=3),
        RandomSwap(3, n_swaps=5),
        GaussianMixture(3, n_init=3),
        FuzzyCMeans(3, n_init=3),
        ConsensusClustering(3, n_members=5),
    ],
    ids=lambda model: type(model).__name__,
)
def test_estimators_take_an_executor(model):
    ranks = Together()
    with_ranks = clone(model).set_params(random_state=0, executor=ranks)
    copy = clone(with_ranks)
    assert copy.executor is ranks
    alone = clone(model).set_params(random_state=0, n_threads=1).fit(X)
    threads = clone(model).set_params(random_state=0, executor=ThreadExecutor(3)).fit(X)
    np.testing.assert_array_equal(copy.fit(X).labels_, alone.labels_)
    np.testing.assert_array_equal(threads.labels_, alone.labels_)
    assert ranks.n_messages > 0


def test_a_task_asks_nobody_for_help():
    ranks = Together()
    found = ThreadExecutor(2).map(lambda task, shared: type(use_executor(shared, 4)), range(2), ranks)
    assert found == [SerialExecutor] * 2
    assert use_executor(ranks) is ranks


def test_given_executors_keep_their_threads_for_few_runs():
    executor, inside = executor_for_runs(2, executor=ThreadExecutor(3))
    assert (type(executor), inside) == (SerialExecutor, 3)
    executor, inside = executor_for_runs(3, executor=ThreadExecutor(3))
    assert (executor.n_workers, inside) == (3, 1)

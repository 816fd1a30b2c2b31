"""Public functions and estimators under two ranks: the same answer on both, or one line why there is none."""

from __future__ import annotations

import re
from importlib import import_module
from inspect import signature

import pytest

from intarsia.consensus import METHODS

from .conftest import PROGRAMS

ALONE = [
    "kmeans hk-means random-swap gmm fcm examce boosting bagging",
    "consensus consensus-none generate generate-foreign pac",
    "pmedian bic bic-none entropy own-cost j-means vns x-means",
    "choose_k refine spectral all full",
    "all-none",
    "predict stable cdf connectivity single-link spectral-clustering multi multi-none",
    "evidence refined pairwise diversity runs best-run",
]
PUBLIC = ("", ".base.runs", ".boosting", ".consensus", ".ensemble", ".metrics", ".multiobjective")
#: Holds what others are given; takes a number only.
WITHOUT_RANKS = {"ConsensusOptions", "load_demo"}


def shares_or_draws(thing):
    """Whether it is given to ranks or draws random numbers."""
    return callable(thing) and {"executor", "random_state"} & set(signature(thing).parameters)


def names_of(module):
    """What a package passes on, or what a module itself defines."""
    own = {
        name for name, thing in vars(module).items() if getattr(thing, "__module__", "") == module.__name__
    }
    return set(getattr(module, "__all__", {name for name in own if not name.startswith("_")}))


def test_no_public_name_is_left_out():
    program = (PROGRAMS / "same_answers.py").read_text()
    for room in PUBLIC:
        module = import_module(f"intarsia{room}")
        for name in names_of(module) - WITHOUT_RANKS:
            if shares_or_draws(getattr(module, name)):
                assert re.search(rf"\b{name}\b", program), f"{name} of intarsia{room}"


def groups_of(names, size):
    return [" ".join(names[i : i + size]) for i in range(0, len(names), size)]


@pytest.mark.parametrize("what", [*ALONE, *groups_of(list(METHODS), 9)])
def test_ranks_answer_alike_whatever_the_seed(mpirun, what):
    done = mpirun(2, "same_answers.py", *what.split())
    assert (done.code, done.out) == (0, "same\n"), done.err


@pytest.mark.parametrize("what", groups_of([f"{name}-none" for name in METHODS], 3))
def test_ranks_choose_alike_whatever_the_seed(mpirun, what):
    done = mpirun(2, "same_answers.py", *what.split())
    assert (done.code, done.out) == (0, "same\n"), done.err


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("k", "KMeans: n_clusters is 3 on rank 0 and 4 on rank 1"),
        ("n_init", "KMeans: n_init is 4 on rank 0 and 10 on rank 1"),
        ("data", "GaussianMixture: X is an array of float64 (60, 2) "),
        ("examce", "Examce: X is an array of float64 (60, 2) "),
        ("seed", "FuzzyCMeans: random_state is 0 on rank 0 and 1 on rank 1"),
        ("seed or none", "ConsensusClustering: random_state is None on rank 0 and 1 on rank 1"),
        ("members", "Ensemble.generate: n_members is 5 on rank 0 and 6 on rank 1"),
        ("method", "combine: method is 'qmi' on rank 0 and 'itk' on rank 1"),
        ("method and k", "combine: n_clusters is 3 on rank 0 and None on rank 1"),
        ("option", "combine: options is {'n_init': '3'} on rank 0 and {'n_init': '4'} on rank 1"),
        ("labels", "combine: labels is an array of int32 (60, 5) "),
        ("function", "rank 0 calls combine and rank 1 choose_k"),
    ],
)
def test_ranks_that_ask_for_different_things_are_told(mpirun, what, message):
    done = mpirun(2, "different_calls.py", what)
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    assert len(lines) == 2  # every rank hears it
    assert lines[0] == lines[1]
    assert lines[0].startswith(message)
    assert lines[0].endswith(": every rank should be given the same.")

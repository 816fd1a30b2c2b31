"""Whole fits by structural entropy: the best of all partitions, theorem 1, killed and resumed."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from intarsia import Examce
from intarsia.examce.checkpoint.files import CheckpointError
from intarsia.examce.criteria.entropy import Entropy
from intarsia.examce.settings import EFFORTS

from .plain_entropy import ALPHAS, PLAIN, brute_force, plain_cost, rules, total

pytestmark = [pytest.mark.kernels, pytest.mark.filterwarnings("ignore:criterion='entropy'")]

X = np.random.default_rng(5).normal(size=(40, 2))


def all_halves(n: int) -> list[np.ndarray]:
    """Partitions into two that together have every cluster there can be."""
    return [np.array([(code >> i) & 1 for i in range(n)]) for code in range(2 ** (n - 1))]


@settings(max_examples=20, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(4, 8),
    k=st.integers(1, 4),
    alpha=st.sampled_from(ALPHAS),
    solver=st.sampled_from(["auto", "highs"]),
    limited=st.booleans(),
)
def test_the_best_of_all_partitions(
    seed: int, n: int, k: int, alpha: float, solver: str, limited: bool
) -> None:
    X = np.random.default_rng(seed).normal(size=(n, 2))
    asked, table = rules(X, seed % 3)
    least = n // (2 * k) if limited and n >= 2 * k else 1
    model = Examce(
        k,
        criterion=Entropy(alpha, **asked),
        effort="paper",
        n_base_runs=2,
        solver=solver,
        min_size=least,
        init_partitions=all_halves(n),
        random_state=seed,
        n_threads=1,
    ).fit(X)
    assert np.bincount(model.labels_, minlength=k).min() >= least
    assert model.inertia_ == pytest.approx(total(table, alpha, model.labels_), rel=1e-12, abs=1e-12)
    assert model.inertia_ == pytest.approx(brute_force(table, alpha, k, least), rel=1e-9, abs=1e-9)


@pytest.fixture
def short_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EFFORTS, "default", replace(EFFORTS["default"], max_steps=4))


@pytest.mark.usefixtures("short_search")
@pytest.mark.parametrize("seed", range(8))
def test_its_own_search_finds_the_best_of_few_points(seed: int) -> None:
    n, k, alpha = 9, 3, ALPHAS[seed % 4]
    X = np.random.default_rng(seed).normal(size=(n, 2))
    asked, table = rules(X, seed % 3)
    criterion = Entropy(alpha, **asked, swap_clusters=True)
    model = Examce(k, criterion=criterion, min_size=2, random_state=seed, n_threads=1).fit(X)
    assert model.inertia_ == pytest.approx(brute_force(table, alpha, k, 2), rel=1e-9, abs=1e-9)
    assert model.inertia_ <= model.best_base_inertia_


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(4, 9),
    k=st.integers(2, 4),
    base=st.sampled_from(["kmeans", "random"]),
)
def test_theorem_1(seed: int, n: int, k: int, base: str) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    asked, table = rules(X, seed % 3)
    drawn = [rng.integers(-1, k + 1, n) for _ in range(5)]
    own = [labels for labels in drawn if labels.max() >= 0]  # one without any label is refused
    model = Examce(
        k,
        criterion=Entropy(0.8, **asked),
        effort="paper",
        n_base_runs=2,
        base=base,
        min_size=1,
        init_partitions=own,
        random_state=seed,
        n_threads=1,
    ).fit(X)
    columns = {frozenset(np.flatnonzero(labels == c).tolist()) for labels in own for c in set(labels) - {-1}}
    costs = {c: plain_cost(table, 0.8, c) for c in columns}
    best = min(
        (
            sum(costs[c] for c in chosen)
            for chosen in combinations(costs, k)
            if sum(map(len, chosen)) == n and len(frozenset().union(*chosen)) == n
        ),
        default=np.inf,
    )
    assert model.inertia_ <= best + 1e-9
    assert model.inertia_ <= model.best_base_inertia_ + 1e-12


def test_theorem_1_where_a_column_loses_all_its_points_and_every_other_is_alone() -> None:
    # {0}, {1} and {0, 1} cover two points cheaply; any point that fills the third may cost more
    X = np.array([[0.0], [50.0], [100.0], [100.5], [101.0], [101.5], [102.0]])
    asked, table = {"radius": 3.0, **PLAIN}, cdist(X, X) <= 3.0
    own = [[0, 1, 2, 2, 2, 2, 2], [0, 0, -1, -1, -1, -1, -1], [-1, -1, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2, 2]]
    model = Examce(
        4,
        criterion=Entropy(**asked),
        effort="paper",
        n_base_runs=1,
        min_size=1,
        init_partitions=own,
        bracket=0,
        random_state=0,
        n_threads=1,
    ).fit(X)
    best = total(table, 0.9, np.array([0, 1, 2, 2, 3, 3, 3]))
    assert model.inertia_ <= best + 1e-9


class Killed(BaseException):
    """Ends a fit as nothing else does."""


def model(
    criterion: Entropy, folder: Path | None = None, n_calls: int | None = None, **options: Any
) -> Examce:
    calls = iter(range(10**6 if n_calls is None else n_calls))

    def callback(*_: object) -> None:
        if next(calls, None) is None:
            raise Killed

    given = {"n_base_runs": 12, "random_state": 3, "n_threads": 1, **options}
    return Examce(
        4, criterion=criterion, checkpoint=folder, checkpoint_every=1e-9, callback=callback, **given
    )


def facts(fitted: Examce) -> tuple[Any, ...]:
    course = [{n: v for n, v in entry.items() if n != "seconds"} for entry in fitted.history_]
    return fitted.labels_.tobytes(), fitted.inertia_, fitted.pool_bound_, fitted.n_columns_, course


@pytest.mark.usefixtures("short_search")
@pytest.mark.parametrize("alpha", [0.9, 1.0])
def test_killed_and_resumed_gives_the_same_bits(tmp_path: Path, alpha: float) -> None:
    whole = facts(model(Entropy(alpha), n_threads=2).fit(X))
    for n_calls in (9, 13):
        folder = tmp_path / str(n_calls)
        with contextlib.suppress(Killed):
            model(Entropy(alpha), folder, n_calls).fit(X)
        assert facts(model(Entropy(alpha), folder, resume=True).fit(X)) == whole


def test_a_checkpoint_knows_its_parameters(tmp_path: Path) -> None:
    with contextlib.suppress(Killed):
        model(Entropy(), tmp_path, 3).fit(X)
    with pytest.raises(CheckpointError, match=r" neighbours=None, not 7; give"):
        model(Entropy(neighbours=7), tmp_path, resume=True).fit(X)

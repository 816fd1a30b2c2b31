"""A cost of one's own: the whole loop by a function, against brute force; names, limits, checkpoints."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from intarsia import Examce, own_cost

X = np.random.default_rng(1).normal(size=(8, 2))
SMALL: dict[str, Any] = {"effort": "paper", "n_base_runs": 30, "random_state": 0, "n_threads": 1}


def diameter(points: np.ndarray, members: np.ndarray) -> float:
    return float(pdist(points[members]).max(initial=0.0))


def brute_force(k: int) -> float:
    found = (np.array(code) for code in product(range(k), repeat=len(X)))
    return min(
        sum(diameter(X, np.flatnonzero(labels == c)) for c in range(k))
        for labels in found
        if len(set(labels.tolist())) == k
    )


@pytest.mark.parametrize("monotone", [False, True])
@pytest.mark.parametrize("k", [2, 3])
def test_the_best_of_all_partitions(k: int, monotone: bool) -> None:
    criterion = own_cost(diameter, monotone=monotone) if monotone else diameter
    one = Examce(k, criterion=criterion, **SMALL).fit(X)
    two = Examce(k, criterion=criterion, **{**SMALL, "n_threads": 2}).fit(X)
    assert one.inertia_ == pytest.approx(brute_force(k), rel=1e-12)
    assert one.labels_.tobytes() == two.labels_.tobytes()
    assert one.inertia_ <= one.best_base_inertia_
    assert not hasattr(one, "cluster_centers_")
    assert not hasattr(one, "predict")


def test_columns_are_asked_for_once() -> None:
    asked: list[bytes] = []

    def counting(points: np.ndarray, members: np.ndarray) -> float:
        asked.append(members.tobytes())
        return diameter(points, members)

    Examce(2, criterion=counting, **SMALL).fit(X)
    assert len(asked) == len(set(asked))


def test_a_local_search_of_ones_own_is_used_and_checked() -> None:
    calls: list[int] = []

    def reverse(points: np.ndarray, labels: np.ndarray) -> np.ndarray:
        calls.append(len(labels))
        return np.zeros_like(labels)  # one cluster: not what was asked for

    model = Examce(2, criterion=own_cost(diameter, local_search=reverse), **SMALL).fit(X)
    assert calls
    assert model.inertia_ == pytest.approx(brute_force(2), rel=1e-12)
    wrong = own_cost(diameter, local_search=lambda points, labels: labels[:3])
    with pytest.raises(ValueError, match=r"gave labels of shape \(3,\), needs \(8,\)"):
        Examce(2, criterion=wrong, **SMALL).fit(X)


def test_sizes_and_ranges() -> None:
    model = Examce((2, 3), criterion=diameter, min_size=2, max_size=4, **SMALL).fit(X)
    sizes = np.bincount(model.labels_)
    assert 2 <= len(sizes) <= 3
    assert sizes.min() >= 2
    assert sizes.max() <= 4


def test_a_checkpoint_needs_a_name(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"needs a name for it: own_cost\(cost, name=...\)"):
        Examce(2, criterion=diameter, checkpoint=tmp_path / "a", **SMALL).fit(X)
    named = own_cost(diameter, name="diameter")
    whole = Examce(2, criterion=named, checkpoint=tmp_path / "b", **SMALL).fit(X)
    again = Examce(2, criterion=named, checkpoint=tmp_path / "b", resume=True, **SMALL).fit(X)
    assert again.labels_.tobytes() == whole.labels_.tobytes()
    other = own_cost(diameter, name="another")
    with pytest.raises(ValueError, match=r" label=diameter, not another"):
        Examce(2, criterion=other, checkpoint=tmp_path / "b", resume=True, **SMALL).fit(X)


@pytest.mark.parametrize("wrong", [3, None, object, "diameter"])
def test_what_is_no_criterion(wrong: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="criterion="):
        Examce(2, criterion=wrong).fit(X)


def test_costs_and_weights_that_cannot_be() -> None:
    with pytest.raises(TypeError, match="function=3 should be callable"):
        own_cost(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="costs nan; a cost should be a finite number"):
        Examce(2, criterion=lambda points, members: float("nan"), **SMALL).fit(X)
    with pytest.raises(TypeError, match="criterion='callable': a cluster costs None; needs a number"):
        Examce(2, criterion=lambda points, members: None, **SMALL).fit(X)
    with pytest.raises(ValueError, match="takes no sample_weight"):
        Examce(2, criterion=diameter, **SMALL).fit(X, sample_weight=np.arange(1, 9))

"""What structural entropy refuses, what it warns of, and its default least size."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from intarsia import Examce
from intarsia.examce.criteria.entropy import Entropy

pytestmark = [pytest.mark.kernels, pytest.mark.filterwarnings("ignore:criterion='entropy'")]

X = np.random.default_rng(5).normal(size=(40, 2))


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"alpha": 0}, r"alpha=0 should be > 0"),
        ({"alpha": float("nan")}, r"alpha=nan should be > 0"),
        ({"alpha": "0.9"}, r"alpha='0.9' should be a number"),
        ({"radius": 0.0}, r"radius=0.0 should be > 0"),
        ({"radius": -1}, r"radius=-1 should be > 0"),
        ({"bandwidth": 0}, r"bandwidth=0 should be > 0"),
        ({"neighbours": 0}, r"neighbours=0 should be"),
        ({"neighbours": 2.5}, r"neighbours=2.5 should be"),
        ({"neighbours": 41}, r"neighbours=41 should be <= n_samples=40"),
        ({"neighbours": 4, "radius": 1.0}, r"neighbours=4 and radius=1.0 should not both be given"),
        ({"scaling": "max"}, r"scaling='max' should be one of"),
        ({"metric": "cosine"}, r"metric='cosine' should be one of"),
        ({"swap_clusters": 1}, r"swap_clusters=1 should be True or False"),
    ],
)
def test_bad_parameters_are_refused_in_one_line(parameters: dict[str, Any], said: str) -> None:
    with pytest.raises((ValueError, TypeError), match=said) as caught:
        Examce(3, criterion=Entropy(**parameters)).fit(X)
    assert "\n" not in str(caught.value)


def test_weights_and_ranges_are_refused() -> None:
    with pytest.raises(ValueError, match="takes no sample_weight"):
        Examce(3, criterion="entropy").fit(X, sample_weight=np.arange(1.0, 41.0))
    with pytest.raises(ValueError, match="should be one number"):
        Examce((2, 4), criterion="entropy").fit(X)


def test_too_many_pairs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("intarsia.examce.criteria.neighbourhoods.MOST_PAIRS", 500)
    with pytest.raises(
        ValueError, match="neighbours=20 of each of 40 points are too many; give neighbours=12"
    ):
        Examce(1, criterion="entropy").fit(X)
    with pytest.raises(ValueError, match=r"radius=9.0 puts more than 500 pairs"):
        Examce(2, criterion=Entropy(radius=9.0)).fit(X)


SHORT: dict[str, Any] = {"effort": "paper", "n_base_runs": 3, "random_state": 0, "n_threads": 1}


@pytest.mark.filterwarnings("default:criterion='entropy'")
class TestWarnings:
    def test_neighbourhoods_of_one(self) -> None:
        with pytest.warns(UserWarning, match="40 of 40 points have nobody around them but themselves"):
            Examce(3, criterion=Entropy(neighbours=1), **SHORT).fit(X)

    def test_neighbourhoods_of_all(self) -> None:
        with pytest.warns(UserWarning, match="40 of 40 points have all points around them"):
            Examce(3, criterion=Entropy(radius=9.0), **SHORT).fit(X)

    def test_the_default_least_size_binds(self) -> None:
        far = np.vstack([X, [[40.0, 40.0]]])  # one point alone would be a cluster at no cost
        with pytest.warns(
            UserWarning, match=r"min_size=8, the default of 0.4 n / k, binds; min_size=1 lifts it"
        ):
            fitted = Examce(2, criterion=Entropy(neighbours=12), **SHORT).fit(far)
        assert np.bincount(fitted.labels_).min() >= 8

    def test_the_entropy_is_tied(self) -> None:
        apart = np.repeat(np.arange(6.0), 5)[:, None] * 100 + np.tile(np.arange(5.0), 6)[:, None]
        with pytest.warns(UserWarning, match="other groupings of their parts have the same entropy"):
            Examce(3, criterion=Entropy(neighbours=3), **SHORT).fit(apart)

    def test_none_where_all_is_well(self, recwarn: pytest.WarningsRecorder) -> None:
        apart = np.repeat(np.arange(3.0), 12)[:, None] * 100 + np.tile(np.arange(12.0), 3)[:, None]
        fitted = Examce(3, criterion="entropy", **SHORT).fit(apart)
        assert fitted.entropy_ == pytest.approx(0.0, abs=1e-12)
        assert [str(w.message) for w in recwarn] == []


def test_the_default_least_size_gives_way_to_what_is_asked() -> None:
    for asked, least in (({}, 5), ({"min_size": 1}, 1), ({"max_size": 20}, 5), ({"max_size": 14}, 5)):
        fitted = Examce(3, criterion="entropy", **SHORT, **asked).fit(X)
        assert np.bincount(fitted.labels_).min() >= least
        assert np.bincount(fitted.labels_).max() <= asked.get("max_size", 40)
    with pytest.raises(ValueError, match="should be"):
        Examce(3, criterion="entropy", min_size=14, **SHORT).fit(X)


@pytest.mark.parametrize(
    "points", [np.zeros((12, 2)), np.arange(12.0)[:, None], np.eye(12)], ids=["equal", "line", "axes"]
)
@pytest.mark.parametrize("k", [1, 3, 12])
def test_equal_points_lines_and_as_many_clusters_as_points(points: np.ndarray, k: int) -> None:
    fitted = Examce(k, criterion="entropy", **SHORT).fit(points)
    assert len(np.unique(fitted.labels_)) == k

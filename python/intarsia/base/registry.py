"""The base clusterers by name. A new one is one file and one line here.

Light to import: a row's class is loaded when it is asked for, so nobody pays for what he does not use.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from inspect import signature
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from intarsia.base.protocol import BaseClusterer


@dataclass(frozen=True)
class BaseRow:
    """One base clusterer.

    Attributes
    ----------
    home : str
        ``module:Class`` in this folder: a `BaseClusterer`, or an estimator as scikit-learn's are.
    summary : str
        What it does, for help texts.
    is_soft, takes_weights : bool
        As in `BaseClusterer`, known without loading it.
    nearest_centre : bool
        Whether a new point joins the cluster of the nearest centre: then centres are all that `intarsia
        predict` needs. False where distances are others, or shapes count.
    options : tuple of str
        Which of `init`, `max_iter`, `tol`, `n_swaps`, `sigma`, `cooling`, `t_min` it has: `fit` offers
        them.
    is_random : bool
        Whether another task may find other clusters, which are compared by their cost.
    n_runs : int
        Runs of `intarsia fit` by default: 1 where a run has several starts of its own.
    preset : mapping
        Options that make this clusterer of the class.
    finds_k : bool
        Whether it finds the number of clusters itself, within a range.
    """

    home: str
    summary: str
    is_soft: bool = False
    takes_weights: bool = True
    nearest_centre: bool = False
    options: tuple[str, ...] = ()
    is_random: bool = True
    n_runs: int = 10
    preset: Mapping[str, Any] = field(default_factory=dict)
    finds_k: bool = False

    def load(self) -> Any:
        """Return the class."""
        module, _, name = self.home.partition(":")
        return getattr(import_module(f"intarsia.base.{module}"), name)


_CENTROID = "centroid:CentroidBase"
_LLOYD = ("init", "max_iter", "tol")


def _centroid(method: str) -> dict[str, Any]:
    return {"method": method, "start_swaps": 0}  # the swaps are the estimator's


BASES: dict[str, BaseRow] = {
    "kmeans": BaseRow(
        _CENTROID,
        "Lloyd's k-means",
        nearest_centre=True,
        options=_LLOYD,
        preset=_centroid("kmeans"),
    ),
    "hk-means": BaseRow(
        _CENTROID,
        "Lloyd, then single-point moves to a local optimum",
        nearest_centre=True,
        options=_LLOYD,
        preset=_centroid("hk-means"),
    ),
    "random-swap": BaseRow(
        _CENTROID,
        "HK-means, then random moves of one centre",
        nearest_centre=True,
        options=(*_LLOYD, "n_swaps"),
        preset=_centroid("random-swap"),
    ),
    "j-means": BaseRow(
        _CENTROID,
        "HK-means, then the best jumps of a centre to a point",
        nearest_centre=True,
        options=_LLOYD,
        preset=_centroid("j-means"),
    ),
    "vns": BaseRow(
        _CENTROID,
        "HK-means after random jumps of more and more centres",
        nearest_centre=True,
        options=(*_LLOYD, "n_swaps"),
        preset=_centroid("vns"),
    ),
    "deterministic-annealing": BaseRow(
        "deterministic_annealing:DeterministicAnnealing",
        "soft clusters that split as a temperature falls",
        nearest_centre=True,
        options=("max_iter", "cooling", "t_min"),
        is_random=False,
    ),
    "x-means": BaseRow(
        "x_means:XMeans",
        "clusters split while BIC gains: K at most, or A-B",
        takes_weights=False,
        nearest_centre=True,
        options=("max_iter",),
        finds_k=True,
    ),
    "gmm": BaseRow(
        "mixture:MixtureBase",
        "Gaussian mixture fitted by EM",
        is_soft=True,
        options=("max_iter", "tol"),
    ),
    "gmm-random": BaseRow(
        "mixture:MixtureBase",
        "the same from random points",
        is_soft=True,
        options=("max_iter", "tol"),
        preset={"init_params": "random_from_data"},
    ),
    "fcm": BaseRow(
        "fuzzy_c_means:FuzzyCMeans", "fuzzy c-means", is_soft=True, nearest_centre=True, options=_LLOYD
    ),
    "single-link": BaseRow(
        "single_link:SingleLinkBase",
        "nearest clusters merge: the spanning tree cut",
        takes_weights=False,
        is_random=False,
    ),
    "spectral": BaseRow(
        "spectral:SpectralBase",
        "k-means on eigenvectors of affinities",
        takes_weights=False,
        options=("sigma",),
        n_runs=1,
    ),
}

#: Those that run k-means and go on from it.
CENTROID_METHODS = tuple(name for name, row in BASES.items() if row.home == _CENTROID)


def base_clusterer(base: Any, prefer: Mapping[str, Any] | None = None, **options: Any) -> BaseClusterer:
    """Return the base clusterer of a name, or around a scikit-learn clusterer.

    Parameters
    ----------
    base : str or estimator
        A name among `BASES`, or a clusterer with ``get_params`` and ``fit_predict``.
    prefer : mapping, optional
        Options for those of the names that have them; the others, and a clusterer at hand, go without.
    **options
        The clusterer's own; one that it does not have is refused.
    """
    check_base(base)
    if not isinstance(base, str):
        return _wrap(base, options, ours=False)
    row = BASES[base]
    made = row.load()
    names = [name for name in signature(made).parameters if name not in row.preset]
    unknown = sorted(set(options) - set(names))
    if unknown:
        raise TypeError(f"{base} has no option {unknown[0]!r}; its options: {', '.join(names)}.")
    wishes = {name: value for name, value in (prefer or {}).items() if name in names}
    clusterer = made(**row.preset, **{**wishes, **options})
    return clusterer if hasattr(clusterer, "takes_weights") else _wrap(clusterer, {}, ours=True)


def check_base(base: Any, soft: bool = False) -> None:
    """Refuse what is no base clusterer, or has no memberships though they are wanted."""
    if isinstance(base, str):
        if base not in BASES:
            raise ValueError(f"base={base!r} should be one of {_listing(BASES)} or a scikit-learn clusterer.")
        if soft and not BASES[base].is_soft:
            able = [name for name, row in BASES.items() if row.is_soft]
            raise ValueError(f"base={base!r} has no memberships; soft=True needs one of {_listing(able)}.")
    elif isinstance(base, type) or not (hasattr(base, "fit_predict") and hasattr(base, "get_params")):
        raise TypeError(
            f"base={base!r} should be one of {_listing(BASES)}, or have fit_predict and get_params, as "
            "scikit-learn's clusterers do."
        )
    elif soft and not hasattr(base, "predict_proba"):
        raise ValueError(f"base={base!r} has no predict_proba; soft=True needs one.")


def _wrap(estimator: Any, options: Mapping[str, Any], ours: bool) -> BaseClusterer:
    from intarsia.base.wrapped import EstimatorBase  # scikit-learn is not needed for the list of names

    return EstimatorBase.of(estimator, options, writes=not ours)


def _listing(names: Iterable[str]) -> str:
    return ", ".join(map(repr, names))

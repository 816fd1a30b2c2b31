"""intarsia: many clusterings in, one better clustering out."""

import logging
from importlib import import_module
from typing import TYPE_CHECKING, Any

from intarsia.launch import end_job_on_error, may_have_ranks

if TYPE_CHECKING:
    __version__: str
    from intarsia import metrics
    from intarsia.base.deterministic_annealing import DeterministicAnnealing
    from intarsia.base.estimators import VNS, HKMeans, JMeans, RandomSwap
    from intarsia.base.fuzzy_c_means import FuzzyCMeans
    from intarsia.base.gaussian_mixture import GaussianMixture
    from intarsia.base.graph_estimators import SingleLink, Spectral
    from intarsia.base.kmeans import KMeans
    from intarsia.base.x_means import XMeans
    from intarsia.boosting.estimator import BaggingClustering, BoostClustering
    from intarsia.consensus.choose_k import choose_k
    from intarsia.consensus.combine import combine, combine_all, combine_full
    from intarsia.consensus.estimator import ConsensusClustering
    from intarsia.datasets import load, load_demo
    from intarsia.ensemble import Ensemble
    from intarsia.examce.criteria.bic import Bic
    from intarsia.examce.criteria.entropy import Entropy
    from intarsia.examce.criteria.own_cost import own_cost
    from intarsia.examce.criteria.pmedian import PMedian
    from intarsia.examce.estimator import Examce
    from intarsia.io import read_points
    from intarsia.multiobjective.estimator import MultiobjectiveClustering

__all__ = [
    "VNS",
    "BaggingClustering",
    "Bic",
    "BoostClustering",
    "ConsensusClustering",
    "DeterministicAnnealing",
    "Ensemble",
    "Entropy",
    "Examce",
    "FuzzyCMeans",
    "GaussianMixture",
    "HKMeans",
    "JMeans",
    "KMeans",
    "MultiobjectiveClustering",
    "PMedian",
    "RandomSwap",
    "SingleLink",
    "Spectral",
    "XMeans",
    "__version__",
    "choose_k",
    "combine",
    "combine_all",
    "combine_full",
    "load",
    "load_demo",
    "metrics",
    "own_cost",
    "read_points",
]

# Who has what. Imported on first use: the command must hear signals before scikit-learn and HiGHS are loaded.
_HOMES = {
    "base.deterministic_annealing": ("DeterministicAnnealing",),
    "base.estimators": ("VNS", "HKMeans", "JMeans", "RandomSwap"),
    "base.fuzzy_c_means": ("FuzzyCMeans",),
    "base.gaussian_mixture": ("GaussianMixture",),
    "base.kmeans": ("KMeans",),
    "base.graph_estimators": ("SingleLink", "Spectral"),
    "base.x_means": ("XMeans",),
    "boosting.estimator": ("BaggingClustering", "BoostClustering"),
    "consensus": ("ConsensusClustering", "choose_k", "combine", "combine_all", "combine_full"),
    "datasets": ("load", "load_demo"),
    "ensemble": ("Ensemble",),
    "examce.criteria.bic": ("Bic",),
    "examce.criteria.entropy": ("Entropy",),
    "examce.criteria.own_cost": ("own_cost",),
    "examce.criteria.pmedian": ("PMedian",),
    "examce.estimator": ("Examce",),
    "io": ("read_points",),
    "multiobjective.estimator": ("MultiobjectiveClustering",),
}
_ROOMS = (
    "base",
    "boosting",
    "consensus",
    "datasets",
    "ensemble",
    "examce",
    "executor",
    "io",
    "metrics",
    "multiobjective",
)

logging.getLogger(__name__).addHandler(logging.NullHandler())  # silent unless the program asks for a log
if may_have_ranks():
    end_job_on_error()


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return _version()
    if name in _ROOMS:
        return import_module(f"{__name__}.{name}")
    for home, names in _HOMES.items():
        if name in names:
            value = globals()[name] = getattr(import_module(f"{__name__}.{home}"), name)
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    special = {name for name in globals() if name.startswith("__")}
    return sorted({*__all__, *_ROOMS, *special})


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(__name__)
    except PackageNotFoundError:  # running from a source tree that was never installed
        return "0+unknown"

"""Base clusterers: one protocol, one registry; centroid methods, EM, fuzzy c-means, single link, spectral."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from intarsia.base.centroid import INITS, CentroidBase
    from intarsia.base.deterministic_annealing import DeterministicAnnealing
    from intarsia.base.estimators import VNS, HKMeans, JMeans, RandomSwap
    from intarsia.base.fuzzy_c_means import FuzzyCMeans
    from intarsia.base.gaussian_mixture import GaussianMixture
    from intarsia.base.kmeans import KMeans
    from intarsia.base.protocol import BaseClusterer, BaseFit
    from intarsia.base.registry import BASES, base_clusterer, check_base
    from intarsia.base.runs import BestRun, base_runs, best_of_runs, best_run
    from intarsia.base.single_link import SingleLink
    from intarsia.base.spectral import Spectral
    from intarsia.base.x_means import XMeans

__all__ = [
    "BASES",
    "INITS",
    "VNS",
    "BaseClusterer",
    "BaseFit",
    "BestRun",
    "CentroidBase",
    "DeterministicAnnealing",
    "FuzzyCMeans",
    "GaussianMixture",
    "HKMeans",
    "JMeans",
    "KMeans",
    "RandomSwap",
    "SingleLink",
    "Spectral",
    "XMeans",
    "base_clusterer",
    "base_runs",
    "best_of_runs",
    "best_run",
    "check_base",
]

# Imported on first use: whoever wants the list of names, or k-means, need not wait for mixtures.
_HOMES = {
    "centroid": ("INITS", "CentroidBase"),
    "deterministic_annealing": ("DeterministicAnnealing",),
    "estimators": ("VNS", "HKMeans", "JMeans", "RandomSwap"),
    "fuzzy_c_means": ("FuzzyCMeans",),
    "gaussian_mixture": ("GaussianMixture",),
    "kmeans": ("KMeans",),
    "protocol": ("BaseClusterer", "BaseFit"),
    "registry": ("BASES", "base_clusterer", "check_base"),
    "runs": ("BestRun", "base_runs", "best_of_runs", "best_run"),
    "single_link": ("SingleLink",),
    "spectral": ("Spectral",),
    "x_means": ("XMeans",),
}


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

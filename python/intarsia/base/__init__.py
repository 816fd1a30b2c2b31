"""Base clusterers: k-means, HK-means, random swap (also as runs to spread), EM and fuzzy c-means."""

from intarsia.base.estimators import HKMeans, KMeans, RandomSwap
from intarsia.base.fuzzy_c_means import FuzzyCMeans
from intarsia.base.gaussian_mixture import GaussianMixture
from intarsia.base.runs import BaseResult, base_runs, best_run
from intarsia.base.settings import INITS, METHODS, BaseSettings

__all__ = [
    "INITS",
    "METHODS",
    "BaseResult",
    "BaseSettings",
    "FuzzyCMeans",
    "GaussianMixture",
    "HKMeans",
    "KMeans",
    "RandomSwap",
    "base_runs",
    "best_run",
]

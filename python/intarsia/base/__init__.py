"""Base clusterers: k-means, HK-means and random swap, as estimators and as runs to spread."""

from intarsia.base.estimators import HKMeans, KMeans, RandomSwap
from intarsia.base.runs import BaseResult, base_runs, best_run
from intarsia.base.settings import INITS, METHODS, BaseSettings

__all__ = [
    "INITS",
    "METHODS",
    "BaseResult",
    "BaseSettings",
    "HKMeans",
    "KMeans",
    "RandomSwap",
    "base_runs",
    "best_run",
]

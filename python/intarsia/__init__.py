"""intarsia: many clusterings in, one better clustering out."""

import logging

from intarsia import metrics
from intarsia._version import __version__
from intarsia.base import FuzzyCMeans, GaussianMixture, HKMeans, KMeans, RandomSwap
from intarsia.consensus import ConsensusClustering, choose_k, combine, combine_all, combine_full
from intarsia.datasets import load, load_demo
from intarsia.ensemble import Ensemble
from intarsia.examce import Examce
from intarsia.io import read_points

__all__ = [
    "ConsensusClustering",
    "Ensemble",
    "Examce",
    "FuzzyCMeans",
    "GaussianMixture",
    "HKMeans",
    "KMeans",
    "RandomSwap",
    "__version__",
    "choose_k",
    "combine",
    "combine_all",
    "combine_full",
    "load",
    "load_demo",
    "metrics",
    "read_points",
]

logging.getLogger(__name__).addHandler(logging.NullHandler())  # silent unless the program asks for a log

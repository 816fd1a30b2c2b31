"""intarsia: many clusterings in, one better clustering out."""

import logging

from intarsia._version import __version__
from intarsia.base import HKMeans, KMeans, RandomSwap
from intarsia.datasets import load, load_demo
from intarsia.examce import Examce
from intarsia.io import read_points

__all__ = ["Examce", "HKMeans", "KMeans", "RandomSwap", "__version__", "load", "load_demo", "read_points"]

logging.getLogger(__name__).addHandler(logging.NullHandler())  # silent unless the program asks for a log

"""intarsia: many clusterings in, one better clustering out."""

import logging
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from intarsia import metrics
    from intarsia._version import __version__
    from intarsia.base import FuzzyCMeans, GaussianMixture, HKMeans, KMeans, RandomSwap
    from intarsia.consensus.choose_k import choose_k
    from intarsia.consensus.combine import combine, combine_all, combine_full
    from intarsia.consensus.estimator import ConsensusClustering
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

# Who has what. Imported on first use: the command must hear signals before scikit-learn and HiGHS are loaded.
_HOMES = {
    "_version": ("__version__",),
    "base": ("FuzzyCMeans", "GaussianMixture", "HKMeans", "KMeans", "RandomSwap"),
    "consensus": ("ConsensusClustering", "choose_k", "combine", "combine_all", "combine_full"),
    "datasets": ("load", "load_demo"),
    "ensemble": ("Ensemble",),
    "examce": ("Examce",),
    "executor": (),
    "io": ("read_points",),
    "metrics": (),
}

logging.getLogger(__name__).addHandler(logging.NullHandler())  # silent unless the program asks for a log


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return import_module(f"{__name__}.{name}")
    for home, names in _HOMES.items():
        if name in names:
            value = globals()[name] = getattr(import_module(f"{__name__}.{home}"), name)
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    special = {name for name in globals() if name.startswith("__")}
    return sorted({*__all__, *_HOMES, *special} - {"_version"})

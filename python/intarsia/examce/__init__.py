"""EXAMCE: pool the clusters of many base runs, recombine them by exact covering."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from intarsia.examce.criteria.bic import Bic
    from intarsia.examce.criteria.own_cost import own_cost
    from intarsia.examce.criteria.pmedian import PMedian
    from intarsia.examce.estimator import Examce
    from intarsia.examce.state import ExamceResult

__all__ = ["Bic", "Examce", "ExamceResult", "PMedian", "own_cost"]

# Imported on first use: the command's help needs the list of criteria alone.
_HOMES = {
    "Bic": "criteria.bic",
    "Examce": "estimator",
    "ExamceResult": "state",
    "PMedian": "criteria.pmedian",
    "own_cost": "criteria.own_cost",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

"""The clustering methods that `intarsia fit` offers, in one table; each row knows who runs it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from intarsia.cli.fit_outcome import FitTask, Outcome

# The runners are imported when they run: help must not wait for scikit-learn.


def _examce(task: FitTask) -> Outcome:
    from intarsia.cli.fit_examce import fit_examce

    return fit_examce(task)


def _base(task: FitTask) -> Outcome:
    from intarsia.cli.fit_base import fit_base

    return fit_base(task)


@dataclass(frozen=True)
class Method:
    """One row of the table: a name for the command line, what it does and who does it."""

    name: str
    summary: str
    run: Callable[[FitTask], Outcome]


METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method("examce", "recombine the clusters of many base runs exactly, then search on", _examce),
        Method("kmeans", "Lloyd's k-means", _base),
        Method("hk-means", "Lloyd, then single-point moves to a local optimum", _base),
        Method("random-swap", "HK-means, then random moves of one centre", _base),
    )
}

DEFAULT_METHOD = "examce"
BASE_METHODS = tuple(method.name for method in METHODS.values() if method.run is _base)

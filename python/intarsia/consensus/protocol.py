"""What every consensus function is told, and what it gives back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from intarsia.arrays import Floats, Labels
from intarsia.ensemble import Ensemble
from intarsia.executor import Executor, SerialExecutor


@dataclass(frozen=True)
class ConsensusOptions:
    """Seed, who computes, and the method's own keyword options."""

    seed: int = 0
    n_threads: int = 1
    executor: Executor = field(default_factory=SerialExecutor)
    params: Mapping[str, Any] = field(default_factory=dict)

    def method_options(self, method: str, **defaults: Any) -> dict[str, Any]:
        """Return the method's options, those not given by their defaults; unknown names are refused."""
        unknown = sorted(set(self.params) - set(defaults))
        if unknown:
            known = ", ".join(defaults) or "none"
            raise TypeError(f"{method} has no option {unknown[0]!r}; its options: {known}.")
        return {**defaults, **self.params}


class NotRunError(Exception):
    """Ends a function that was asked for no more than whether it has these options."""


class OnlyNames(ConsensusOptions):
    """Options for a function that is not to run: it refuses unknown names, or raises `NotRunError`."""

    def method_options(self, method: str, **defaults: Any) -> dict[str, Any]:
        """Check the names and go no further."""
        super().method_options(method, **defaults)
        raise NotRunError


@dataclass(frozen=True, eq=False)
class Consensus:
    """One clustering made of many.

    Attributes
    ----------
    labels : int32 array of shape (n_samples,)
        Cluster of each point, from 0 to k - 1, none empty.
    memberships : float64 array of shape (n_samples, k) or None
        Soft form, where the method has one.
    meta_clusters : int32 array with one entry per indicator column, or None
        Cluster of each input cluster, where the method has it.
    objective : float or None
        What the method optimises, where it is one number.
    history : tuple of float
        The objective from step to step.
    note : str
        Anything a user should know, such as a repair.
    method : str
        The function whose answer this is, where several were tried.
    """

    labels: Labels
    memberships: Floats | None = None
    meta_clusters: Labels | None = None
    objective: float | None = None
    history: tuple[float, ...] = ()
    note: str = ""
    method: str = ""


#: Called with a canonical ensemble of distinct rows (so point weights count), k >= 2 and the options.
ConsensusFunction = Callable[[Ensemble, int, ConsensusOptions], Consensus]

"""What a consensus function returns."""

from __future__ import annotations

from dataclasses import dataclass

from intarsia.arrays import Floats, Labels


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
    """

    labels: Labels
    memberships: Floats | None = None
    meta_clusters: Labels | None = None
    objective: float | None = None
    history: tuple[float, ...] = ()
    note: str = ""

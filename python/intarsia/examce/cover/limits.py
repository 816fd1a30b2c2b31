"""How many columns a cover takes, and how much work may go into finding it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CountRange:
    """Whole numbers from `least` to `most`, both included."""

    least: int
    most: int

    @property
    def pair(self) -> tuple[int, int]:
        """Both ends, as the kernels take them."""
        return self.least, self.most

    def __contains__(self, count: int) -> bool:
        return self.least <= count <= self.most

    def __str__(self) -> str:
        return str(self.least) if self.least == self.most else f"{self.least} to {self.most}"


@dataclass(frozen=True)
class CoverLimits:
    """How much work the cover stage may do; counted, not timed, so that results repeat.

    Attributes
    ----------
    cold_iterations, warm_iterations
        Lagrangian steps without and with multipliers to start from.
    n_rounds, n_roundings, noise
        Primal rounds at most (fewer once within max_gap of the bound), roundings in each, their noise.
    max_gap, core_factor, first_core_factor
        HiGHS is called on a core of at most core_factor · k columns, for covers within max_gap of the bound;
        while no good cover is known, first on a core of first_core_factor · k.
    small_core
        A core of at most this many columns goes to HiGHS whatever the gap.
    max_nodes
        Branch-and-bound nodes of one HiGHS call.
    use_highs
        Without it only bound and roundings are used; a core of small_core columns is solved all the same.
    """

    cold_iterations: int = 600
    warm_iterations: int = 200
    n_rounds: int = 5
    n_roundings: int = 10
    noise: float = 0.2
    max_gap: float = 0.002
    core_factor: float = 12.0
    first_core_factor: float = 6.0
    small_core: int = 120
    max_nodes: int = 2000
    use_highs: bool = True

"""What to run: the user's settings."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from intarsia.studies.published.annealing import N_RUNS

QUICK_RUNS = 3
QUICK_MEMBERS = (10, 30)


@dataclass(frozen=True)
class Plan:
    """Settings of the study.

    Attributes
    ----------
    data_dir : Path or None
        Folder of iris.csv and wine.csv; None searches the usual places, then takes scikit-learn's copies.
    quick : bool
        Three runs of two ensemble sizes: a look, not a measurement.
    seed : int
        Seed of everything.
    n_threads : int or None
        Runs side by side; None takes all processors.
    """

    data_dir: Path | None = None
    quick: bool = False
    seed: int = 0
    n_threads: int | None = None

    @property
    def n_runs(self) -> int:
        """Runs that an average is taken over."""
        return QUICK_RUNS if self.quick else N_RUNS

    def sizes(self, published: tuple[int, ...]) -> tuple[int, ...]:
        """Return the ensemble sizes to run, of the published ones."""
        return tuple(r for r in published if not self.quick or r in QUICK_MEMBERS)

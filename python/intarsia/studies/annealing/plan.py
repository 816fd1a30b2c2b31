"""What to run: the user's settings."""

from __future__ import annotations

from intarsia.studies.published.annealing import N_RUNS
from intarsia.studies.settings import StudySettings

QUICK_RUNS = 3
QUICK_MEMBERS = (10, 30)


class Plan(StudySettings):
    """Settings of the study; without a data folder, scikit-learn's copies of iris and wine will do.

    --quick makes three runs of two ensemble sizes.
    """

    @property
    def n_runs(self) -> int:
        """Runs that an average is taken over."""
        return QUICK_RUNS if self.quick else N_RUNS

    def sizes(self, published: tuple[int, ...]) -> tuple[int, ...]:
        """Return the ensemble sizes to run, of the published ones."""
        return tuple(r for r in published if not self.quick or r in QUICK_MEMBERS)

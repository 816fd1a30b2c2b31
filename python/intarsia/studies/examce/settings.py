"""What to run: the user's settings, and one job per clustering."""

from __future__ import annotations

from dataclasses import dataclass

from intarsia.studies.common import StudySettings

PAPER_EFFORT = "paper"
DEFAULT_EFFORT = "default"


@dataclass(frozen=True)
class ExamceStudySettings(StudySettings):
    """Settings of the study; --quick takes a few instances at the paper's effort.

    Attributes
    ----------
    effort : str or None
        Effort of every run; None takes what each experiment calls for.
    seeds : int or None
        Seeds of each instance where there are several; None takes what each experiment calls for.
    """

    effort: str | None = None
    seeds: int | None = None

    def search_effort(self) -> str:
        """Return the effort where the question is how good a solution is found."""
        return self.effort or (PAPER_EFFORT if self.quick else DEFAULT_EFFORT)

    def paper_effort(self) -> str:
        """Return the effort where the question is how the paper's algorithm behaves."""
        return self.effort or PAPER_EFFORT


@dataclass(frozen=True)
class Job:
    """One run of EXAMCE; equal jobs give equal results, so each is run once.

    With a `setting` the criterion is the entropy, otherwise the sum of squares.
    """

    data: str
    n_clusters: int
    effort: str
    seed: int
    solver: str = "auto"
    n_base_runs: int | None = None
    bracket: int | None = None
    setting: str = ""

    @property
    def instance(self) -> tuple[str, int]:
        """The data set and the number of clusters."""
        return self.data, self.n_clusters

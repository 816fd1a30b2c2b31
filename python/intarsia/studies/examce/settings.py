"""What to run: the user's settings, and one job per clustering."""

from __future__ import annotations

from dataclasses import dataclass

from intarsia.report.plots import OWN_LABEL, PRINTED_LABEL
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
    only : frozenset of (str, int), optional
        Data sets and numbers of clusters; other instances are left out.
    """

    effort: str | None = None
    seeds: int | None = None
    only: frozenset[tuple[str, int]] | None = None

    def search_effort(self) -> str:
        """Return the effort where the question is how good a solution is found."""
        return self.effort or (PAPER_EFFORT if self.quick else DEFAULT_EFFORT)

    def paper_effort(self) -> str:
        """Return the effort where the question is how the paper's algorithm behaves."""
        return self.effort or PAPER_EFFORT

    def wants(self, job: Job) -> bool:
        """Return whether a job's instance is one of those asked for."""
        return self.only is None or job.instance in self.only


def called(effort: str) -> str:
    """Return what runs of an effort are called: the paper's method with nothing added, or our search."""
    return PRINTED_LABEL if effort == PAPER_EFFORT else OWN_LABEL


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

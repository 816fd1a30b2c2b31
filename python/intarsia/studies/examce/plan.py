"""What to run: the user's settings, and one job per clustering."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

PAPER_EFFORT = "paper"
DEFAULT_EFFORT = "default"


@dataclass(frozen=True)
class Plan:
    """Settings of a study.

    Attributes
    ----------
    data_dir : Path or None
        Folder of the data files; None searches the usual places.
    quick : bool
        A few instances at the paper's effort: a look, not a measurement.
    effort : str or None
        Effort of every run; None takes what each experiment calls for.
    seed : int
        Seed of the runs, the first of several where an experiment repeats them.
    n_threads : int or None
        Threads of each run; None takes all processors.
    """

    data_dir: Path | None = None
    quick: bool = False
    effort: str | None = None
    seed: int = 0
    n_threads: int | None = None

    def search_effort(self) -> str:
        """Return the effort where the question is how good a solution is found."""
        return self.effort or (PAPER_EFFORT if self.quick else DEFAULT_EFFORT)

    def paper_effort(self) -> str:
        """Return the effort where the question is how the paper's algorithm behaves."""
        return self.effort or PAPER_EFFORT


@dataclass(frozen=True)
class Job:
    """One run of EXAMCE; equal jobs give equal results, so each is run once."""

    data: str
    n_clusters: int
    effort: str
    seed: int
    solver: str = "auto"
    n_base_runs: int | None = None
    bracket: int | None = None

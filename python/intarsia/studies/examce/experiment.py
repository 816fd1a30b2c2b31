"""What every table and figure of the study is to the program that runs them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from intarsia.studies.examce.lab import Lab, Outcome
from intarsia.studies.examce.plan import Job, Plan
from intarsia.studies.sheet import Sheet


class Experiment(Protocol):
    """A table or figure: the jobs it needs, and the sheet made of their outcomes."""

    @property
    def name(self) -> str:
        """Stem of its files, such as `table-2`."""
        ...

    def jobs(self, plan: Plan) -> list[Job]:
        """Return the runs, in order."""
        ...

    def sheet(self, outcomes: Sequence[Outcome], lab: Lab) -> Sheet:
        """Return the table of the outcomes so far (at least one)."""
        ...

    def draw(self, sheet: Sheet, path: Path) -> None:
        """Draw the sheet, if this is a figure."""
        ...

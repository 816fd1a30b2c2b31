"""The study: one data set after another, confusion tables beside the paper's, a summary at the end."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from intarsia.executor import Executor, make_executor
from intarsia.report.sheet import Sheet
from intarsia.studies.common import ResultFolder, StudySettings
from intarsia.studies.multiobjective.published import CASES
from intarsia.studies.multiobjective.runs import QUICK_RESAMPLES, Callback, CaseResult, run_case
from intarsia.studies.multiobjective.tables import confusion_sheet, summary_sheet

N_RESAMPLES = 50
#: Of --quick: what needs no files and little time.
QUICK_CASES = ("three", "seven")


@dataclass(frozen=True)
class MultiobjectiveStudySettings(StudySettings):
    """Settings of the study; --quick takes the generated sets and five resamples.

    Attributes
    ----------
    resamples : int or None
        Resamples; None: 50, or 5 if quick.
    data : tuple of str
        The data sets to run; none named: all, or the two generated ones if quick.
    resume : bool
        Keep the resamples that are done in the folder for results, and go on from those there.
    """

    resamples: int | None = None
    data: tuple[str, ...] = ()
    resume: bool = False

    @property
    def n_resamples(self) -> int:
        """Resamples of every data set."""
        return self.resamples or (QUICK_RESAMPLES if self.quick else N_RESAMPLES)

    @property
    def cases(self) -> tuple[str, ...]:
        """The data sets to run, each once."""
        return tuple(dict.fromkeys(self.data)) or (QUICK_CASES if self.quick else tuple(CASES))


class Study:
    """Runs data sets and writes their tables into a folder.

    Parameters
    ----------
    settings : MultiobjectiveStudySettings
        Data, resamples, seed.
    out : Path
        Folder for CSV and Markdown files; made if it is not there.
    executor : Executor, optional
        Who computes; rank 0 alone reads and writes.
    """

    def __init__(
        self, settings: MultiobjectiveStudySettings, out: Path, executor: Executor | None = None
    ) -> None:
        self._settings, self._executor = settings, executor or make_executor()
        self._results = ResultFolder(out, self._executor)
        self._kept = out / "kept" if settings.resume else None
        self._done: list[CaseResult] = []

    def run(self, name: str, on_done: Callback | None = None) -> list[Sheet]:
        """Run a data set, write its tables and return them."""
        settings, kept = self._settings, None if self._kept is None else self._kept / name
        result = run_case(CASES[name], settings, settings.n_resamples, self._executor, on_done, kept)
        self._done.append(result)
        return [self._results.write(confusion_sheet(result, answer)) for answer in result.answers]

    def summary(self) -> Sheet:
        """Return a line for every answer so far, written too."""
        sheet = summary_sheet(self._done, self._settings.n_resamples, self._settings.seed)
        return self._results.write(sheet)

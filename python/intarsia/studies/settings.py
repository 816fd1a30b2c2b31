"""What every user of a study can set."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class StudySettings:
    """Settings that studies share.

    Attributes
    ----------
    data_dir : Path or None
        Folder of the data files; None searches the usual places.
    quick : bool
        A few small runs: a look, not a measurement.
    seed : int
        Seed of everything.
    n_threads : int or None
        Runs side by side; None takes all processors.
    """

    data_dir: Path | None = None
    quick: bool = False
    seed: int = 0
    n_threads: int | None = None

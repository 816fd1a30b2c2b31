"""The resamples that are done, in a file: what a killed run leaves behind, and the next one goes on from."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from intarsia import __version__
from intarsia.io.archive import DamagedFileError, read_archive, write_archive
from intarsia.io.writers import remove_leftovers
from intarsia.multiobjective.goodness import Scores

FORMAT = "intarsia multiobjective checkpoint"
VERSION = 1
FILE = "resamples.npz"


class CheckpointError(ValueError):
    """A checkpoint that cannot be used here, and why."""


class Checkpoint:
    """The scores of the resamples that are done, in one file of a folder.

    Parameters
    ----------
    folder : Path
        Made if missing.
    every : float
        Seconds between two writes at least.
    resume : bool
        Go on from what is there; otherwise a folder with a checkpoint is refused.
    identity : dict
        What must be the same for a run to go on.
    """

    def __init__(self, folder: Path, every: float, resume: bool, identity: dict[str, Any]) -> None:
        self._path, self._every, self._resume = folder / FILE, every, resume
        self._identity = {"made by": __version__, **identity}
        self._done: Sequence[Scores] = ()
        self._last_write = time.monotonic()
        self._writing = threading.Lock()

    def load(self) -> list[Scores]:
        """Return the scores of the tasks that are done, in their order; none where there is no file."""
        folder = self._path.parent
        folder.mkdir(parents=True, exist_ok=True)
        remove_leftovers(folder, FILE)
        if not self._path.exists():
            self.save()  # a folder that cannot be written is refused now
            return []
        if not self._resume:
            raise CheckpointError(f"{folder} holds a checkpoint: resume, or give another folder.")
        facts, arrays = self._read()
        parts = np.split(arrays["values"], np.cumsum(arrays["sizes"]))[:-1]
        self._done = [
            Scores(values, tuple(why)) for values, why in zip(parts, facts["failures"], strict=True)
        ]
        return list(self._done)

    def _read(self) -> tuple[dict[str, Any], dict[str, Any]]:
        try:
            facts, arrays = read_archive(self._path)
        except DamagedFileError as error:
            raise CheckpointError(f"{error} Remove it to start anew.") from None
        if facts.get("format") != FORMAT or facts.get("version") != VERSION:
            raise CheckpointError(f"{self._path}: should be {FORMAT!r} version {VERSION}.")
        for name, value in self._identity.items():
            if facts["identity"].get(name) != value:
                raise CheckpointError(
                    f"{self._path}: made with another {name}; give the same data and options, or another "
                    "folder."
                )
        return facts, arrays

    def note(self, done: Sequence[Scores]) -> None:
        """Remember what is done, and write it when the time has come."""
        self._done = list(done)
        if time.monotonic() - self._last_write >= self._every:
            self.save()

    def save(self) -> bool:
        """Write what was noted last; another thread may ask for it."""
        with self._writing:
            done = self._done
            facts = {"format": FORMAT, "version": VERSION, "identity": self._identity}
            values = [scores.values for scores in done]
            arrays = {
                "values": np.concatenate([np.empty(0), *values]),
                "sizes": np.array([len(part) for part in values], dtype=np.int64),
            }
            failures = [list(scores.failures) for scores in done]
            write_archive(self._path, {**facts, "failures": failures}, arrays)
            self._last_write = time.monotonic()
            return True

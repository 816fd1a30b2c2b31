"""Checkpoints: what a killed run leaves behind, and how the next one goes on from there."""

from __future__ import annotations

import hashlib
import logging
import threading
import time
import warnings
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from intarsia import __version__
from intarsia.examce.checkpoint.snapshot import Snapshot, restore_snapshot, take_snapshot
from intarsia.examce.settings import ExamceSettings
from intarsia.examce.state import ExamceState
from intarsia.executor import on_rank_zero
from intarsia.io.archive import DamagedFileError, read_archive, write_archive
from intarsia.io.writers import remove_leftovers

FORMAT = "intarsia examce checkpoint"
VERSION = 5  # 5: populations, arrivals as evidence
_KEPT = 2  # the last one, and one before it in case the last is damaged

Found: TypeAlias = tuple[dict[str, Any], dict[str, NDArray[Any]]]
"""Facts and arrays of a checkpoint that is whole."""

log = logging.getLogger(__name__)


class CheckpointError(ValueError):
    """A checkpoint that cannot be used here, and why."""


class Checkpoints:
    """The checkpoints of one run in a folder.

    Parameters
    ----------
    folder : Path
        Made if missing; holds `checkpoint-NNNNNN.npz`, the two newest.
    every : float
        Seconds between two writes at least.
    identity : dict
        What must be the same for a run to go on: see `identity_of`.
    """

    def __init__(self, folder: Path, every: float, identity: dict[str, Any]) -> None:
        self._folder, self._every, self._identity = folder, every, identity
        self._latest: Snapshot | None = None
        self._written: Snapshot | None = None
        self._newest: Path | None = None
        self._is_failing = False
        self._last_write = time.monotonic()
        self._writing = threading.Lock()
        folder.mkdir(parents=True, exist_ok=True)

    def refuse_if_used(self) -> None:
        """Refuse a folder with checkpoints in it: a run that starts anew would bury them."""
        if checkpoint_files(self._folder):
            raise CheckpointError(f"{self._folder} holds checkpoints: resume, or give another folder.")

    def note(self, state: ExamceState) -> None:
        """Remember the state, and write it when the time has come."""
        self._latest = take_snapshot(state)
        if time.monotonic() - self._last_write >= self._every:
            self.try_to_save()

    def try_to_save(self) -> None:
        """Write what was noted last; a full disk must not end a search that is going well."""
        try:
            self.save()
        except OSError as error:
            self._last_write = time.monotonic()
            if not self._is_failing:
                _warn(f"no checkpoint could be written, going on: {error.filename}: {error.strerror}")
            self._is_failing = True

    def save(self) -> bool:
        """Write what was noted last, if anything; another thread may ask for it while the search goes on."""
        with self._writing:
            snapshot = self._latest
            if snapshot is None:
                return False
            if self._newest is not None and not self._newest.exists():
                _warn(f"{self._newest} is gone, writing another")
            elif snapshot is self._written:
                return True
            self._write(snapshot)
            for old in checkpoint_files(self._folder)[:-_KEPT]:
                old.unlink(missing_ok=True)
            return True

    def _write(self, snapshot: Snapshot) -> None:
        facts = {"format": FORMAT, "version": VERSION, "identity": self._identity}
        facts["state"] = snapshot.facts
        self._newest = self._written = None  # until it has gone well
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._next_path()
        write_archive(path, facts, snapshot.packed())
        if self._is_failing:
            _warn(f"checkpoints are written again: {path}")
        self._is_failing = False
        self._newest, self._written, self._last_write = path, snapshot, time.monotonic()

    def load(self) -> Found | None:
        """Return the newest checkpoint that is whole; None when there is none at all."""
        files = checkpoint_files(self._folder)
        for path in reversed(files):
            try:
                return self._read(path)
            except DamagedFileError as error:
                _warn(f"{error} Going back to the checkpoint before it.")
        if files:
            raise CheckpointError(f"{self._folder}: every checkpoint is damaged; remove them to start anew.")
        return None

    def _read(self, path: Path) -> Found:
        facts, arrays = read_archive(path)
        if facts.get("format") != FORMAT or facts.get("version") != VERSION:
            got = f"{facts.get('format')!r} version {facts.get('version')!r}"
            raise CheckpointError(f"{path}: {got} should be {FORMAT!r} version {VERSION}.")
        check_identity(path, facts["identity"], self._identity)
        return facts["state"], arrays

    def _next_path(self) -> Path:
        files = checkpoint_files(self._folder)
        number = int(files[-1].stem.rpartition("-")[2]) + 1 if files else 1
        return self._folder / f"checkpoint-{number:06d}.npz"


def _warn(message: str) -> None:
    log.warning(message)
    warnings.warn(message, RuntimeWarning, stacklevel=2)


def checkpoint_files(folder: Path) -> list[Path]:
    """Return the checkpoints in a folder, oldest first."""
    return sorted(folder.glob("checkpoint-[0-9][0-9][0-9][0-9][0-9][0-9].npz"))


def identity_of(state: ExamceState) -> dict[str, Any]:
    """Return what decides the answer: the settings, a hash of the data, and the programs that compute.

    Not the instruction set: the kernels give the same bits on all of them.
    """
    criterion, data = state.criterion, state.criterion.data
    limits = {"n_clusters": str(data.counts), "min_size": data.sizes.least, "max_size": data.sizes.most}
    programs = {"intarsia": __version__, "highspy": version("highspy")}
    return {
        "made by": programs,
        "data": _hash(data.X, data.weights, *state.init_partitions),
        "criterion": {"name": criterion.name, **criterion.parameters()},
        **limits,
        **_plain(state.settings),
    }


def _hash(*arrays: NDArray[Any] | None) -> str:
    sha = hashlib.sha256()
    for array in arrays:
        sha.update(b"none" if array is None else f"{array.shape}".encode())
        if array is not None:
            sha.update(np.ascontiguousarray(array).data)  # a view: the points may fill half the memory
    return sha.hexdigest()


def _plain(settings: ExamceSettings) -> dict[str, Any]:
    facts = asdict(settings)
    facts["base"] = settings.base if isinstance(settings.base, str) else repr(settings.base)
    return facts


def check_identity(path: Path, there: dict[str, Any], here: dict[str, Any]) -> None:
    """Refuse to mix runs: what differs is named, and nothing else."""
    if there.get("made by") != here["made by"]:
        what = ", ".join(_differences(there.get("made by", {}), here["made by"]))
        raise CheckpointError(f"{path}: made by {what}; go on with that version, or start in another folder.")
    if there.get("data") != here["data"]:
        raise CheckpointError(f"{path}: made from other data; give the same, or another folder.")
    if differences := _differences(_flat(there), _flat(here)):
        what = ", ".join(differences)
        raise CheckpointError(f"{path}: {what}; give the same data and options, or another folder.")


def _flat(facts: dict[str, Any]) -> dict[str, Any]:
    """Return the facts with the criterion's name and parameters beside the rest, as users give them."""
    criterion = dict(facts.get("criterion", {}))
    return {**facts, "criterion": criterion.pop("name", None), **criterion}


def _differences(there: dict[str, Any], here: dict[str, Any]) -> list[str]:
    found = []
    for name, value in here.items():
        old = there.get(name)
        if old != value:  # an effort is many numbers, which nobody gave
            found.append(f"another {name}" if isinstance(value, dict) else f"{name}={old}, not {value}")
    return found


def open_checkpoints(state: ExamceState, folder: Path, every: float, go_on: bool) -> Checkpoints | None:
    """Let the first rank keep checkpoints of the state, and bring every rank to where the newest one was."""

    def opened() -> tuple[Checkpoints, Found | None]:
        checkpoints = Checkpoints(folder, every, identity_of(state))
        found = checkpoints.load() if go_on else None
        if not go_on:
            checkpoints.refuse_if_used()
        remove_leftovers(folder, "checkpoint-*.npz")
        return checkpoints, found

    mine = on_rank_zero(state.executor, opened)
    found = state.executor.agree(None if mine is None else mine[1])
    if found is not None:
        restore_snapshot(state, *found)
    return None if mine is None else mine[0]


def begin_checkpoints(state: ExamceState, checkpoints: Checkpoints | None) -> None:
    """Write the first one at once: a folder that cannot be written is refused, and seen to be in use."""

    def begin() -> None:
        assert checkpoints is not None  # the first rank has them
        checkpoints.note(state)
        checkpoints.save()
        state.recorder = checkpoints.note

    on_rank_zero(state.executor, begin)

"""Base runs as independent jobs: each shard makes some of them, and any machine with all shards goes on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from intarsia.arrays import Labels
from intarsia.examce.base_stage import BaseTask, make_base_runs
from intarsia.examce.checkpoint import CheckpointError, check_identity, identity_of
from intarsia.examce.loop import base_tasks
from intarsia.examce.state import ExamceState
from intarsia.executor import on_first
from intarsia.io.archive import read_archive, write_archive

FORMAT = "intarsia examce shard"
VERSION = 2  # 2: who made it
_NAME = re.compile(r"shard-[0-9]+-of-[0-9]+[.]npz")


def shard_path(folder: Path, index: int, n_shards: int) -> Path:
    """Return where shard `index` of 1…n is kept."""
    return folder / f"shard-{index}-of-{n_shards}.npz"


def make_shard(state: ExamceState, folder: Path, index: int, n_shards: int, request: dict[str, Any]) -> Path:
    """Make every n-th base run and write them; `request` is what `intarsia merge` needs to go on."""
    if not 1 <= index <= n_shards:
        raise ValueError(f"index={index} should be between 1 and n_shards={n_shards}.")
    tasks = base_tasks(state)[index - 1 :: n_shards]
    runs = _runs(state, tasks)
    place = {"index": index, "n_shards": n_shards}
    facts = {
        "format": FORMAT,
        "version": VERSION,
        "identity": identity_of(state),
        "request": request,
        **place,
    }
    arrays = {
        "run_ids": np.array([task.run for task in tasks], dtype=np.int64),
        "run_labels": np.array(runs, dtype=np.int32).reshape(len(runs), len(state.criterion.X)),
    }
    path = shard_path(folder, index, n_shards)
    on_first(state.executor, lambda: _write(path, facts, arrays))
    return path


def _runs(state: ExamceState, tasks: Sequence[BaseTask]) -> list[Labels]:
    criterion, settings = state.criterion, state.settings
    return make_base_runs(
        criterion.X,
        criterion.weights,
        settings.base,
        settings.effort.base_init,
        list(tasks),
        settings.seed,
        state.executor,
        lambda n_done: state.tell("base runs", n_done, len(tasks)),
    )


def _write(path: Path, facts: dict[str, Any], arrays: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_archive(path, facts, arrays)


def find_shards(folder: Path) -> list[Path]:
    """Return all shards in a folder, in order, or say which are missing."""
    found = sorted(path for path in folder.glob("shard-*.npz") if _NAME.fullmatch(path.name))
    if not found:
        raise CheckpointError(f"{folder} holds no shard-I-of-N.npz.")
    n_shards = {path.stem.rpartition("-of-")[2] for path in found}
    if len(n_shards) > 1:
        raise CheckpointError(f"{folder} holds shards of several splits: of {', '.join(sorted(n_shards))}.")
    n = int(n_shards.pop())
    missing = [str(i) for i in range(1, n + 1) if not shard_path(folder, i, n).exists()]
    if missing:
        raise CheckpointError(f"{folder}: {len(missing)} of {n} shards are missing: {', '.join(missing)}.")
    return [shard_path(folder, i, n) for i in range(1, n + 1)]


def request_of(path: Path) -> dict[str, Any]:
    """Return what a shard was asked for."""
    return dict(_facts(path)[0]["request"])


def take_shards(state: ExamceState, folder: Path) -> None:
    """Put the base runs of all shards into a fresh state, which goes on as if it had made them."""
    runs = state.executor.agree(on_first(state.executor, lambda: _read_all(state, folder)))
    assert runs is not None
    state.runs = runs


def _read_all(state: ExamceState, folder: Path) -> dict[int, Labels]:
    identity = identity_of(state)
    runs: dict[int, Labels] = {}
    for path in find_shards(folder):
        facts, arrays = _facts(path)
        check_identity(path, facts["identity"], identity)
        runs |= dict(zip(arrays["run_ids"].tolist(), arrays["run_labels"], strict=True))
    return {run: runs[run] for run in sorted(runs)}


def _facts(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    facts, arrays = read_archive(path)
    if facts.get("format") != FORMAT or facts.get("version") != VERSION:
        raise CheckpointError(f"{path}: should be {FORMAT!r} version {VERSION}.")
    return facts, arrays

"""Base runs and populations as independent jobs: any machine with all shards goes on from there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from intarsia.examce.base_runs import base_tasks, make_base_runs
from intarsia.examce.checkpoint.files import CheckpointError, check_identity, identity_of
from intarsia.examce.checkpoint.snapshot import arrays_of, facts_of, population_from
from intarsia.examce.search.contest import make_populations
from intarsia.examce.state import ExamceState
from intarsia.executor import on_rank_zero
from intarsia.io.archive import read_archive, write_archive

FORMAT = "intarsia examce shard"
VERSION = 4  # 4: populations
_POPULATIONS = 4  # so many are often needed before the evidence is there
_NAME = re.compile(r"shard-[0-9]+-of-[0-9]+[.]npz")


def shard_path(folder: Path, index: int, n_shards: int) -> Path:
    """Return where shard `index` of 1…n is kept."""
    return folder / f"shard-{index}-of-{n_shards}.npz"


def make_shard(state: ExamceState, folder: Path, index: int, n_shards: int, request: dict[str, Any]) -> Path:
    """Make every n-th base run and population and write them; `request` is what `intarsia merge` needs."""
    if not 1 <= index <= n_shards:
        raise ValueError(f"index={index} should be between 1 and n_shards={n_shards}.")
    all_tasks = base_tasks(state)
    tasks = all_tasks[index - 1 :: n_shards]
    runs = make_base_runs(state, tasks, lambda n_done: state.tell("base runs", n_done, len(tasks)))
    numbers = [n for n in _population_numbers(state, n_shards, bool(all_tasks)) if n % n_shards == index - 1]
    make_populations(state, numbers)
    populations = [state.populations[number] for number in numbers]
    arrays = {
        "run_ids": np.array([task.run for task in tasks], dtype=np.int64),
        "run_labels": np.array(runs, dtype=np.int32).reshape(len(runs), state.n_samples),
    }
    for population in populations:
        arrays |= arrays_of(population)
    facts = {"index": index, "n_shards": n_shards, "populations": [facts_of(p) for p in populations]}
    path = shard_path(folder, index, n_shards)
    on_rank_zero(state.executor, lambda: _write(path, {**facts, **_about(state, request)}, arrays))
    return path


def _population_numbers(state: ExamceState, n_shards: int, has_base_runs: bool) -> range:
    """Return the populations that can be made apart: the first one needs all base runs, if there are any."""
    effort = state.settings.effort
    first = 1 if has_base_runs or state.init_partitions else 0
    last = max(n_shards, _POPULATIONS) if effort.n_merges > 0 else 1
    return range(first, last) if effort.searches else range(0)


def _about(state: ExamceState, request: dict[str, Any]) -> dict[str, Any]:
    return {"format": FORMAT, "version": VERSION, "identity": identity_of(state), "request": request}


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
    """Put what all shards made into a fresh state, which goes on as if it had made it itself."""
    # the first rank reads
    found = state.executor.agree(on_rank_zero(state.executor, lambda: _read_all(state, folder)))
    assert found is not None
    for _, arrays in found:
        state.runs |= dict(zip(arrays["run_ids"].tolist(), arrays["run_labels"], strict=True))
    state.runs = dict(sorted(state.runs.items()))
    state.take_populations(
        population_from(known, arrays, state.criterion)
        for facts, arrays in found
        for known in facts["populations"]
    )


def _read_all(state: ExamceState, folder: Path) -> list[tuple[dict[str, Any], dict[str, NDArray[Any]]]]:
    identity, found = identity_of(state), []
    for path in find_shards(folder):
        facts, arrays = _facts(path)
        check_identity(path, facts["identity"], identity)
        found.append((facts, arrays))
    return found


def _facts(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    facts, arrays = read_archive(path)
    if facts.get("format") != FORMAT or facts.get("version") != VERSION:
        raise CheckpointError(f"{path}: should be {FORMAT!r} version {VERSION}.")
    return facts, arrays

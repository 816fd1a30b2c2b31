"""Checkpoints in one process: a run stopped anywhere goes on to the same bits; the wrong run is refused."""

from __future__ import annotations

import contextlib
import errno
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from intarsia import Examce
from intarsia.examce.checkpoint import files as checkpoint
from intarsia.examce.checkpoint.files import CheckpointError, checkpoint_files
from intarsia.examce.settings import EFFORTS
from intarsia.io import writers
from intarsia.io.archive import read_archive, write_archive

X = np.random.default_rng(0).uniform(size=(500, 2))


@pytest.fixture(autouse=True)
def short_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EFFORTS, "default", replace(EFFORTS["default"], rest_after=1, max_steps=6))


def model(folder: Path | None = None, **options: Any) -> Examce:
    settings = {"n_base_runs": 40, "random_state": 3, "n_threads": 1, **options}
    return Examce(50, checkpoint=folder, checkpoint_every=1e-9, **settings)


class Killed(BaseException):
    """Ends a fit as nothing else does, not even Ctrl-C."""


def kill_after(n_calls: int) -> Any:
    calls = iter(range(n_calls))

    def callback(*_: object) -> None:
        if next(calls, None) is None:
            raise Killed

    return callback


def facts(fitted: Examce) -> tuple[Any, ...]:
    course = [{n: v for n, v in entry.items() if n != "seconds"} for entry in fitted.history_]
    result = fitted.result_
    return (
        fitted.labels_.tobytes(), fitted.inertia_, fitted.best_base_inertia_, fitted.pool_bound_,
        fitted.n_columns_, fitted.n_rounds_, result.cover_status, result.n_base_runs, course,
    )  # fmt: skip


@pytest.mark.parametrize("effort", ["default", "paper"])
@pytest.mark.parametrize("n_calls", [0, 3, 17, 39, 40, 41, 42])
def test_killed_and_resumed_gives_the_same_bits(tmp_path: Path, effort: str, n_calls: int) -> None:
    whole = facts(model(effort=effort).fit(X))
    with contextlib.suppress(Killed):
        model(tmp_path, effort=effort, callback=kill_after(n_calls)).fit(X)
    assert facts(model(tmp_path, effort=effort, resume=True).fit(X)) == whole


def test_a_resumed_run_repeats_no_finished_base_run(tmp_path: Path) -> None:
    with pytest.raises(Killed):
        model(tmp_path, callback=kill_after(30)).fit(X)
    told: list[tuple[str, int]] = []
    model(tmp_path, resume=True, callback=lambda stage, done, *_: told.append((stage, done))).fit(X)
    # batches of eight: 24 of 30 runs were recorded
    assert [done for stage, done in told if stage == "base runs"] == list(range(25, 41))


def test_two_checkpoints_are_kept_and_a_damaged_one_is_passed_over(tmp_path: Path) -> None:
    whole = facts(model(tmp_path).fit(X))
    _, newest = checkpoint_files(tmp_path)
    newest.write_bytes(newest.read_bytes()[:-50])
    with pytest.warns(RuntimeWarning, match=f"{newest} is damaged. Going back to the checkpoint before it."):
        assert facts(model(tmp_path, resume=True).fit(X)) == whole
    for path in checkpoint_files(tmp_path):
        path.write_bytes(b"nothing")
    with (
        pytest.warns(RuntimeWarning, match="is damaged"),
        pytest.raises(CheckpointError, match="every checkpoint is damaged"),
    ):
        model(tmp_path, resume=True).fit(X)


def after(n_calls: int, act: Callable[[], object]) -> Callable[..., None]:
    """A callback that does something once, in the middle of the base runs."""
    left = iter(range(n_calls))

    def callback(*_: object) -> None:
        if next(left, None) == n_calls - 1:
            act()

    return callback


def test_a_folder_that_is_removed_is_made_again_and_said(tmp_path: Path) -> None:
    folder = tmp_path / "ck"
    with pytest.warns(RuntimeWarning, match=f"{folder}/checkpoint-.* is gone, writing another") as said:
        fitted = model(folder, callback=after(20, lambda: shutil.rmtree(folder))).fit(X)
    assert len(said) == 1
    assert facts(model(folder, resume=True).fit(X)) == facts(fitted)


def test_a_folder_that_cannot_be_written_is_said_once_with_its_path(tmp_path: Path) -> None:
    folder = tmp_path / "ck"

    def bar() -> None:
        shutil.rmtree(folder)
        folder.write_text("a file, where checkpoints should go")

    with pytest.warns(RuntimeWarning) as said:
        fitted = model(folder, callback=after(20, bar)).fit(X)
    gone, cannot = (str(warning.message) for warning in said)
    assert gone.endswith("is gone, writing another")
    assert cannot == f"no checkpoint could be written, going on: {folder}: File exists"
    assert facts(fitted) == facts(model().fit(X))


def test_a_full_disk_is_said_once_with_the_path_and_again_when_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    to_disk, disk = writers._to_disk, {"full": False}

    def fill(stream: Any) -> None:
        if disk["full"]:
            raise OSError(errno.ENOSPC, "No space left on device")
        to_disk(stream)

    monkeypatch.setattr(writers, "_to_disk", fill)
    callbacks = [after(10, lambda: disk.update(full=True)), after(35, lambda: disk.update(full=False))]
    with pytest.warns(RuntimeWarning) as said:
        model(tmp_path, callback=lambda *told: [callback(*told) for callback in callbacks]).fit(X)
    full, room = (str(warning.message) for warning in said)
    assert re.fullmatch(rf"no .* going on: {tmp_path}/checkpoint-0\d+.npz: No space left on device", full)
    assert re.fullmatch(rf"checkpoints are written again: {tmp_path}/checkpoint-0\d+.npz", room)
    assert not list(tmp_path.glob(".*"))


def test_a_disk_that_is_full_from_the_start_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(stream: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(writers, "_to_disk", full)
    with pytest.warns(RuntimeWarning), pytest.raises(OSError, match=f"No space.*{tmp_path}/checkpoint-0"):
        model(tmp_path).fit(X)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"random_state": 4}, "seed=3, not 4"),
        ({"tau": 5}, "tau=10, not 5"),
        ({"min_size": 2}, "min_size=1, not 2"),
    ],
)
def test_other_settings_are_refused(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    model(tmp_path).fit(X)
    with pytest.raises(CheckpointError, match=message):
        model(tmp_path, resume=True, **change).fit(X)


def test_only_what_differs_is_named(tmp_path: Path) -> None:
    model(tmp_path).fit(X)
    with pytest.raises(CheckpointError) as refused:
        model(tmp_path, resume=True, effort="high", tau=4).fit(X)
    message = str(refused.value)
    assert "another effort" in message
    assert "tau=10, not 4" in message
    assert not any(word in message for word in ("{", "base_init", "seed", "\n"))


def test_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model(tmp_path).fit(X)
    monkeypatch.setattr(checkpoint, "__version__", "99.0")
    with pytest.raises(CheckpointError, match=r"made by intarsia=.*, not 99\.0; go on with that version"):
        model(tmp_path, resume=True).fit(X)


def test_seconds_of_earlier_runs_count(tmp_path: Path) -> None:
    with contextlib.suppress(Killed):
        model(tmp_path, time_limit=1000.0, callback=kill_after(3)).fit(X)
    newest = checkpoint_files(tmp_path)[-1]
    facts, arrays = read_archive(newest)
    assert 0 < facts["state"]["clock"]["seconds"] < 1000
    facts["state"]["clock"]["seconds"] += 1000
    write_archive(newest, facts, arrays)
    fitted = model(tmp_path, time_limit=1000.0, resume=True).fit(X)
    assert fitted.status_ == "time_limit"
    assert fitted.result_.seconds > 1000
    assert fitted.result_.n_rounds == 0


def test_what_a_killed_writer_left_is_removed(tmp_path: Path) -> None:
    ours = tmp_path / ".checkpoint-000003.npz.0123456789ab.tmp"
    others = [tmp_path / name for name in (".checkpoint-000003.npz.tmp", ".notes.0123456789ab.tmp", "a.tmp")]
    for path in (ours, *others):
        path.write_text("half")
    model(tmp_path).fit(X)
    assert not ours.exists()
    assert all(path.exists() for path in others)


def test_other_data_are_refused(tmp_path: Path) -> None:
    model(tmp_path).fit(X)
    with pytest.raises(CheckpointError, match="made from other data"):
        model(tmp_path, resume=True).fit(X + 1e-9)
    with pytest.raises(CheckpointError, match="made from other data"):
        model(tmp_path, resume=True).fit(X, sample_weight=np.full(len(X), 2.0))


def test_a_used_folder_is_not_overwritten(tmp_path: Path) -> None:
    model(tmp_path).fit(X)
    with pytest.raises(CheckpointError, match="holds checkpoints: resume, or give another folder"):
        model(tmp_path).fit(X)


def test_resume_without_a_checkpoint_starts_anew(tmp_path: Path) -> None:
    assert facts(model(tmp_path / "new", resume=True).fit(X)) == facts(model().fit(X))


def test_shards_put_together_are_the_same_run(tmp_path: Path) -> None:
    for index in (3, 1, 2):
        model().fit_shard(X, tmp_path, index, 3)
    assert facts(model().fit_from_shards(X, tmp_path)) == facts(model().fit(X))


def test_missing_mixed_or_foreign_shards_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=r"holds no shard-I-of-N\.npz"):
        model().fit_from_shards(X, tmp_path)
    model().fit_shard(X, tmp_path, 2, 3)
    with pytest.raises(CheckpointError, match="2 of 3 shards are missing: 1, 3"):
        model().fit_from_shards(X, tmp_path)
    for index in (1, 3):
        model().fit_shard(X, tmp_path, index, 3)
    with pytest.raises(CheckpointError, match="made from other data"):
        model().fit_from_shards(X[:-1], tmp_path)
    model().fit_shard(X, tmp_path, 1, 2)
    with pytest.raises(CheckpointError, match="shards of several splits: of 2, 3"):
        model().fit_from_shards(X, tmp_path)

"""`intarsia fit` with checkpoints, killed for real: SIGKILL, SIGTERM, SIGUSR1; shards and merge."""

from __future__ import annotations

import contextlib
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from intarsia.cli.core.main import main

FIT = ["-k", "45", "--base-runs", "24", "--threads", "1", "--quiet"]


@pytest.fixture(scope="module", autouse=True)
def points(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Points in a folder that every command is started in: a search of a few seconds."""
    folder = tmp_path_factory.mktemp("points")
    np.save(folder / "points.npy", np.random.default_rng(0).uniform(size=(700, 2)))
    with contextlib.chdir(folder):
        yield folder


def start(*words: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "intarsia", "fit", "points.npy", *FIT, *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(*words: object) -> None:
    with start(*words) as process:
        out, err = process.communicate(timeout=120)
    assert process.returncode == 0, out + err


def labels(folder: Path) -> bytes:
    return (folder / "labels.csv").read_bytes()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, float]:
    """The answer of an uninterrupted run, and how long it takes."""
    out = tmp_path_factory.mktemp("whole")
    started = time.monotonic()
    finish("--out", out)
    return labels(out), time.monotonic() - started


def test_killed_at_random_moments(whole: tuple[bytes, float], tmp_path: Path) -> None:
    answer, seconds = whole
    moments = random.Random(0)
    words = (
        "--checkpoint",
        tmp_path / "ck",
        "--checkpoint-every",
        0.01,
        "--resume",
        "--out",
        tmp_path / "out",
    )
    for _ in range(4):  # one after the other: each life goes on from the one before
        with start(*words) as process:
            time.sleep(moments.uniform(0.2, 0.9) * seconds)
            process.kill()
    finish(*words)
    assert labels(tmp_path / "out") == answer


def wait_for(folder: Path, seconds: float = 60) -> None:
    last = time.monotonic() + seconds
    while not any(folder.glob("checkpoint-*.npz")):
        assert time.monotonic() < last, "no checkpoint came"
        time.sleep(0.02)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGUSR1])
def test_a_signal_writes_a_checkpoint(
    whole: tuple[bytes, float], tmp_path: Path, number: signal.Signals
) -> None:
    words = ("--checkpoint", tmp_path / "ck", "--out", tmp_path / "out")
    with start(*words, "--checkpoint-every", 0.01) as process:
        wait_for(tmp_path / "ck")
        process.send_signal(number)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 75
    assert err == f"intarsia: stopped by {number.name}, checkpoint written; run again with --resume\n"
    assert not (tmp_path / "out").exists()
    finish(*words, "--resume")
    assert labels(tmp_path / "out") == whole[0]


def test_a_signal_after_the_folder_was_removed_writes_it_again(tmp_path: Path) -> None:
    folder = tmp_path / "ck"
    with start("--checkpoint", folder, "--checkpoint-every", 1000) as process:
        wait_for(folder)
        shutil.rmtree(folder)
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=60)
    gone = f"intarsia: warning: {folder}/checkpoint-000001.npz is gone, writing another"
    kept = "intarsia: stopped by SIGTERM, checkpoint written; run again with --resume"
    assert (process.returncode, err.splitlines()) == (75, [gone, kept])
    assert (folder / "checkpoint-000001.npz").exists()


def test_a_signal_where_no_checkpoint_can_be_written_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "ck"
    with start("--checkpoint", folder, "--checkpoint-every", 1000) as process:
        wait_for(folder)
        folder.rename(tmp_path / "elsewhere")
        folder.write_text("a file, where checkpoints should go")
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=60)
    why = f"intarsia: stopped by SIGTERM, but no checkpoint could be written: {folder}: File exists"
    assert (process.returncode, err.splitlines()[-1]) == (1, why)


def test_shards_and_merge(whole: tuple[bytes, float], tmp_path: Path) -> None:
    for index in (1, 2):
        finish("--shard", f"{index}/2", "--out", tmp_path / "shards")
    assert main(["merge", str(tmp_path / "shards"), "--out", str(tmp_path / "out"), "--quiet"]) == 0
    assert labels(tmp_path / "out") == whole[0]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--resume"], "--resume needs --checkpoint DIR"),
        (["--shard", "1/2"], "--shard needs --out DIR"),
        (["--shard", "3/2", "--out", "x"], "needs I/N with 1 <= I <= N"),
        (["--shard", "1/2", "--out", "x", "--checkpoint", "y"], "--shard goes without --checkpoint"),
        (["--method", "kmeans", "--checkpoint", "y"], "--checkpoint is for examce"),
    ],
)
def test_options_that_do_not_go_together(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["fit", "demo:iris", "-k", "3", *words]) == 2
    assert message in capsys.readouterr().err


def test_merge_of_an_empty_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["merge", str(tmp_path)]) == 2
    assert "holds no shard-I-of-N.npz" in capsys.readouterr().err


def test_the_log_of_a_resumed_run_follows_that_of_the_first(tmp_path: Path) -> None:
    words = ["fit", "demo:iris", "-k", "3", "--base-runs", "2", "--quiet", "--effort", "paper"]
    words += ["--checkpoint", str(tmp_path / "ck"), "--log-dir", str(tmp_path / "logs")]
    log = tmp_path / "logs" / "rank-0000.log"
    assert main(words) == 0
    first = log.read_text()
    assert main([*words, "--resume"]) == 0
    assert log.read_text().startswith(first)
    assert "task 0" in first

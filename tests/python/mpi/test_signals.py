"""Signals to a job of two ranks: a checkpoint and exit code 75, whichever rank or launcher got it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .conftest import MpiRun

FIT = ("demo:gauss100", "-k", "100", "--effort", "high", "--threads", "1")
KEPT = "checkpoint written; run again with --resume"


def hear_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell starts background jobs with it ignored


def process_of_rank(rank: int, mark: Path) -> int:
    """The process id of a rank of the job that logs to this folder."""
    for folder in Path("/proc").iterdir():
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0") if folder.name.isdigit() else []
            if str(mark).encode() in words and f"PMI_RANK={rank}".encode() in (
                folder / "environ"
            ).read_bytes().split(b"\0"):
                return int(folder.name)
        except OSError:  # it ended while we looked
            continue
    raise AssertionError(f"no rank {rank}")


def signalled(mpiexec: str, folder: Path, number: int, rank: int | None, *words: object) -> tuple[int, str]:
    """Exit code and stderr of a fit whose rank, or launcher for None, gets a signal while ranks compute."""
    logs = folder / "logs"
    command = [mpiexec, "-n", "2", sys.executable, "-m", "intarsia", "fit", *FIT, "--log-dir", logs, *words]
    with subprocess.Popen(
        [*map(str, command)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hear_interrupts,
    ) as job:
        last = time.monotonic() + 60
        while sum("task" in log.read_text() for log in logs.glob("rank-*.log")) < 2:
            assert time.monotonic() < last, "the ranks do not begin"
            time.sleep(0.05)
        os.kill(job.pid if rank is None else process_of_rank(rank, logs), number)
        _, err = job.communicate(timeout=30)
    return job.returncode, err


@pytest.mark.parametrize(
    ("number", "rank", "cause"),
    [
        (signal.SIGINT, None, "SIGINT"),
        (signal.SIGINT, 1, "a signal to another rank"),
        (signal.SIGTERM, 1, "a signal to another rank"),
        (signal.SIGUSR1, 0, "SIGUSR1"),
    ],
)
def test_a_signal_keeps_a_checkpoint(
    mpiexec: str, tmp_path: Path, number: int, rank: int | None, cause: str
) -> None:
    code, err = signalled(mpiexec, tmp_path, number, rank, "--checkpoint", tmp_path / "ck")
    assert [line for line in err.splitlines() if line.startswith("intarsia:")] == [
        f"intarsia: stopped by {cause}, {KEPT}"
    ]
    assert code == 75
    assert (tmp_path / "ck" / "checkpoint-000001.npz").exists()


def test_an_interrupt_without_checkpoints_is_one_line(mpiexec: str, tmp_path: Path) -> None:
    code, err = signalled(mpiexec, tmp_path, signal.SIGINT, 1)
    assert [line for line in err.splitlines() if line.startswith("intarsia:")] == [
        "intarsia: rank 1: interrupted"
    ]
    assert code == 130


@pytest.mark.parametrize("n_ranks", [2, 4])
@pytest.mark.parametrize(
    ("number", "hears", "cause"),
    [
        (signal.SIGTERM, "all", "SIGTERM"),
        (signal.SIGTERM, 1, "a signal to another rank"),
        (signal.SIGUSR1, 0, "SIGUSR1"),
        (signal.SIGINT, 1, "a signal to another rank"),
    ],
)
def test_a_signal_before_the_ranks_have_met(
    mpirun: MpiRun, tmp_path: Path, n_ranks: int, number: int, hears: object, cause: str
) -> None:
    keep = ("--checkpoint", tmp_path / "ck")
    done = mpirun(n_ranks, "early_signal.py", *keep, HEARS=hears, NUMBER=int(number))
    assert done.code == 75
    assert done.err == f"intarsia: stopped by {cause}, nothing done yet; run again with --resume\n"
    assert not (tmp_path / "ck").exists()


@pytest.mark.parametrize("hears", ["all", 1])
def test_an_interrupt_before_the_ranks_have_met(mpirun: MpiRun, hears: object) -> None:
    done = mpirun(2, "early_signal.py", HEARS=hears, NUMBER=int(signal.SIGINT))
    assert (done.code, done.err) == (130, "intarsia: interrupted\n")

"""Ranks killed for real, at six random moments: what is resumed ends with the bytes of an undisturbed run."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

FIT = ("-k", "50", "--base-runs", "80", "--threads", "1")


def ranks_of(mark: Path) -> list[int]:
    """The process ids of the ranks that write to this folder."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0") if folder.name.isdigit() else []
        except OSError:  # it ended while we looked
            continue
        if str(mark).encode() in words and words[0] == sys.executable.encode():
            found.append(int(folder.name))
    return found


def kill(pids: list[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def test_killed_ranks_lose_little(mpiexec: str, tmp_path: Path) -> None:
    whole, out = tmp_path / "whole", tmp_path / "out"
    np.save(tmp_path / "points.npy", np.random.default_rng(0).uniform(size=(1200, 2)))
    fit = (sys.executable, "-m", "intarsia", "fit", str(tmp_path / "points.npy"), *FIT)
    subprocess.run([*fit, "--out", whole], check=True, timeout=240)
    keep = ("--checkpoint", str(tmp_path / "checkpoint"), "--checkpoint-every", "0.01", "--resume")
    moments = random.Random(0)
    for life in range(6):
        command = [mpiexec, "-n", str(2 + life % 2), *fit, "--out", str(out), *keep]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as job:
            time.sleep(moments.uniform(0.8, 3.0))
            ranks = ranks_of(out)
            kill(ranks if life % 2 else ranks[-1:])
            job.wait(timeout=30)  # nobody waits for the dead
    subprocess.run([mpiexec, "-n", "2", *fit, "--out", str(out), *keep], check=True, timeout=240)
    assert (out / "labels.csv").read_bytes() == (whole / "labels.csv").read_bytes()

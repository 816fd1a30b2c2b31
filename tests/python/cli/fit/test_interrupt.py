"""Ctrl-C during a long fit: the best so far is written and labelled, exit code 130."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

pty = pytest.importorskip("pty")

X = np.random.default_rng(0).uniform(size=(2000, 2))
LONG = ["fit", "points.npy", "-k", "60", "--effort", "high", "--base-runs", "4"]


@pytest.fixture(autouse=True)
def points(tmp_path, monkeypatch):
    """Points in the folder that every command is started in: a search of minutes."""
    monkeypatch.chdir(tmp_path)
    np.save("points.npy", X)


@pytest.fixture
def terminal():
    """A pseudo terminal: our end to read, the other for the child's stderr, so that it draws its bar."""
    ours, theirs = pty.openpty()
    yield ours, theirs
    for end in (ours, theirs):
        with contextlib.suppress(OSError):
            os.close(end)


def read_until(end, words, seconds=120):
    seen, last = b"", time.monotonic() + seconds
    while words not in seen:
        assert time.monotonic() < last, f"no {words!r} in {seen!r}"
        seen += os.read(end, 4096)


def drain(end):
    with contextlib.suppress(OSError):  # Linux answers EIO once the child is gone
        while os.read(end, 4096):
            pass


def _hear_interrupts():
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell starts background jobs with it ignored


def interrupt_during_search(terminal, *words):
    ours, theirs = terminal
    command = [sys.executable, "-m", "intarsia", *LONG, *map(str, words)]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=theirs, env=environment, preexec_fn=_hear_interrupts
    ) as process:
        os.close(theirs)
        try:
            read_until(ours, b"search")
            process.send_signal(signal.SIGINT)
            drain(ours)
            out, _ = process.communicate(timeout=120)
        finally:
            process.kill()
    return process.returncode, out.decode()


def test_the_best_so_far_is_written_and_labelled(terminal, tmp_path):
    code, out = interrupt_during_search(terminal, "--out", tmp_path / "out")
    assert code == 130
    assert "interrupted: best so far, not reproducible" in out
    labels = np.loadtxt(tmp_path / "out" / "labels.csv", skiprows=1, dtype=int)
    result = json.loads((tmp_path / "out" / "result.json").read_text())
    assert result["status"] == "interrupted"
    centers = np.loadtxt(tmp_path / "out" / "centers.csv", delimiter=",", skiprows=1)
    assert result["cost"] == pytest.approx(((X - centers[labels]) ** 2).sum(), rel=1e-9)
    assert result["cost"] <= result["best_base_cost"]


def test_interrupted_with_json_is_still_one_object(terminal):
    code, out = interrupt_during_search(terminal, "--json")
    assert code == 130
    assert json.loads(out)["status"] == "interrupted"

"""Fixtures that run the command line inside the test process and in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from intarsia.cli.main import main


@dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    code: int
    out: str
    err: str


Command = Callable[..., Outcome]


@pytest.fixture
def intarsia(capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run `intarsia WORDS...` in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*words: object) -> Outcome:
        code = main([str(word) for word in words])
        out, err = capfd.readouterr()
        return Outcome(code, out, err)

    return run


@pytest.fixture
def subprocess_intarsia() -> Command:
    """Run `python -m intarsia WORDS...` as a user would, output in pipes."""

    def run(*words: object) -> Outcome:
        command = [sys.executable, "-m", "intarsia", *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        return Outcome(done.returncode, done.stdout, done.stderr)

    return run

"""Fixtures: the command line inside the test process and in one of its own, and the published data."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from intarsia.cli.core.main import main


@dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    code: int
    out: str
    err: str


Command = Callable[..., Outcome]

TESTS = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of the papers' data sets (`tests/data/README.md`); without one the test is skipped."""
    given = os.environ.get("INTARSIA_DATA")
    folders = [*([Path(given)] if given else []), TESTS / "data", TESTS.parents[1] / "shared" / "data"]
    for folder in folders:
        if (folder / "iris.csv").is_file():
            return folder.resolve()
    pytest.skip("the published data are not here: see tests/data/README.md")


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

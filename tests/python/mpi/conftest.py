"""Starts programs under `mpiexec -n N`, each with a time limit."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parent / "programs"
TIME_LIMIT = 120.0  # seconds; a rank that waits for ever must not stop the tests

# what a launcher around the tests themselves may have left
_LAUNCHERS = ("PMI_", "PMIX_", "OMPI_", "MPI_LOCAL", "SLURM_", "INTARSIA_", "OMP_NUM_THREADS")


@dataclass(frozen=True)
class Ended:
    """What a job left behind."""

    code: int
    out: str
    err: str
    seconds: float


MpiRun = Callable[..., Ended]


def find_mpiexec() -> str | None:
    """The launcher beside this Python, which mpi4py's own MPI came with, or the one of the system."""
    own = str(Path(sys.executable).parent)
    return shutil.which("mpiexec", path=os.pathsep.join([own, os.environ.get("PATH", "")]))


@pytest.fixture
def mpiexec() -> str:
    """The launcher; without one, or without mpi4py, the test is skipped."""
    found = find_mpiexec()
    if found is None:
        pytest.skip("no mpiexec: pip install intarsia[mpi]")
    pytest.importorskip("mpi4py", reason="no mpi4py: pip install intarsia[mpi]")
    return found


@pytest.fixture
def mpirun(mpiexec: str) -> MpiRun:
    """Run `mpiexec -n N python WORDS...`; a first word like "map.py" is one of our programs."""

    def run(n_ranks: int, *words: object, **variables: object) -> Ended:
        first, *rest = map(str, words)
        program = [str(PROGRAMS / first)] if first.endswith(".py") else [first]
        return ended([mpiexec, "-n", str(n_ranks), sys.executable, *program, *rest], variables)

    return run


@pytest.fixture
def alone() -> MpiRun:
    """Run `python WORDS...` without a launcher."""

    def run(*words: object, **variables: object) -> Ended:
        return ended([sys.executable, *map(str, words)], variables)

    return run


def ended(command: list[str], variables: dict[str, object]) -> Ended:
    own = {name: value for name, value in os.environ.items() if not name.startswith(_LAUNCHERS)}
    own |= {name: str(value) for name, value in variables.items()}
    started = time.monotonic()
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=TIME_LIMIT,
        check=False,
        env=own,
        stdin=subprocess.DEVNULL,
    )
    return Ended(done.returncode, done.stdout, done.stderr, time.monotonic() - started)


def own_lines(done: Ended) -> list[str]:
    """What intarsia itself said on stderr, without the launcher's words."""
    return [line for line in done.err.splitlines() if line.startswith("intarsia:")]

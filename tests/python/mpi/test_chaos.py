"""Signals at any moment, ranks killed, checkpoints damaged: the same bytes in the end, or a refusal; no hang.

A small sample runs with the other tests; `scripts/test --chaos` runs the rest, `INTARSIA_CHAOS=full` with it
every signal to every target at every moment. A busy machine starts slower: all moments are stretched alike.
`pytest -s` shows how each signal ended.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from .test_kill import kill, ranks_of
from .test_signals import hear_interrupts

CHAOS = os.environ.get("INTARSIA_CHAOS", "")
chaos = pytest.mark.skipif(not CHAOS, reason="scripts/test --chaos runs it")

SEED = int(os.environ.get("INTARSIA_CHAOS_SEED", "0"))
N_KILLS, KILLS_A_FIT, N_DAMAGES = 30, 5, 30
WATCHDOG = 120.0  # seconds: nothing here takes as long, unless somebody waits for ever
QUIET_START = 0.25  # seconds for Python and NumPy

SIGNALS = (signal.SIGTERM, signal.SIGUSR1, signal.SIGINT)
TARGETS = ("launcher", 0, 1)
MOMENTS = [moment / 50 for moment in range(51)]  # seconds after the start
EVERY = list(itertools.product(SIGNALS, TARGETS, (2, 4)))
# all moments, and every signal to every target, but not every pair of these
ROTATED = [(moment, *EVERY[i * 5 % len(EVERY)]) for i, moment in enumerate(MOMENTS)]
SAMPLE = [(0.3, signal.SIGTERM, "launcher", 2), (0.8, signal.SIGUSR1, 1, 4)]


class Fit:
    """One small fit, its undisturbed answer, and the ways to run it again."""

    def __init__(self, folder: Path, mpiexec: str) -> None:
        self.folder, self.mpiexec, self.stretch = folder, mpiexec, slowness()
        np.save(folder / "points.npy", np.random.default_rng(0).uniform(size=(1000, 2)))
        self.words = [sys.executable, "-m", "intarsia", "fit", str(folder / "points.npy"), "-k", "40"]
        self.words += ["--base-runs", "150", "--effort", "paper", "--threads", "1"]
        done = self.run(folder / "whole")
        assert done.returncode == 0, done.stderr
        self.answer = labels_in(folder / "whole")

    def run(self, out: Path, *words: object) -> subprocess.CompletedProcess[str]:
        """Run it in one process."""
        command = [*self.words, "--out", str(out), *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=WATCHDOG)

    def start(self, n_ranks: int, out: Path) -> subprocess.Popen[str]:
        """Start it, or go on with it, on so many ranks."""
        keep = ("--checkpoint", str(out / "ck"), "--checkpoint-every", "0.01", "--resume")
        return subprocess.Popen(
            [self.mpiexec, "-n", str(n_ranks), *self.words, "--out", str(out), *keep],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=hear_interrupts,
        )

    def finish(self, out: Path) -> None:
        """Go on to the end, in one process; the answer is that of the undisturbed run."""
        done = self.run(out, "--checkpoint", out / "ck", "--resume")
        assert done.returncode == 0, done.stderr
        assert labels_in(out) == self.answer


def slowness() -> float:
    """How many times longer than on two quiet cores Python takes to start here."""
    began = time.monotonic()
    subprocess.run([sys.executable, "-c", "import numpy, mpi4py"], check=True, timeout=WATCHDOG)
    return max(1.0, (time.monotonic() - began) / QUIET_START)


def labels_in(out: Path) -> bytes:
    return (out / "labels.csv").read_bytes()


@pytest.fixture(scope="module")
def fit(tmp_path_factory: pytest.TempPathFactory) -> Fit:
    from .conftest import find_mpiexec

    found = find_mpiexec()
    if found is None:
        pytest.skip("no mpiexec: pip install intarsia[mpi]")
    pytest.importorskip("mpi4py", reason="no mpi4py: pip install intarsia[mpi]")
    return Fit(tmp_path_factory.mktemp("chaos"), found)


def signalled(
    fit: Fit, out: Path, moment: float, number: int, target: object, n_ranks: int
) -> tuple[int, str]:
    """Send a signal so many seconds after the start; exit code and stderr, once everybody has ended."""
    with fit.start(n_ranks, out) as job:
        time.sleep(moment * fit.stretch)
        with contextlib.suppress(ProcessLookupError):
            os.kill(job.pid if target == "launcher" else rank_of(out, target) or job.pid, number)
        sent = time.monotonic()
        try:
            _, err = job.communicate(timeout=WATCHDOG)
        except subprocess.TimeoutExpired:
            kill([*ranks_of(out), job.pid])
            pytest.fail(f"{number} to {target} of {n_ranks} ranks after {moment} s: nobody ends")
    took = time.monotonic() - sent
    print(
        f"\n{number} to {target} of {n_ranks} at {moment}: code {job.returncode} after {took:.1f} s, {err!r}"
    )
    return job.returncode, err


def rank_of(out: Path, rank: object) -> int | None:
    """The process of a rank, None before it has begun."""
    for pid in ranks_of(out):
        with contextlib.suppress(OSError):
            if f"PMI_RANK={rank}".encode() in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
                return pid
    return None


def codes_of_python(number: int, err: str) -> tuple[int, ...]:
    """What a job ends with whose signal came before we could hear it; 0 where it was over, or mpiexec deaf.

    MPICH puts the signal's number together, bit by bit, with those of the other ranks: 9 if it killed them, 1
    if they missed the one that the signal ended.
    """
    interrupted = (1, 130) if number == signal.SIGINT and "KeyboardInterrupt" in err else ()
    assert interrupted or "Traceback" not in err, err
    return (number, number | 1, number | 9, -number, 128 + number, *interrupted)


def check_signalled(fit: Fit, out: Path, moment: float, number: int, target: object, n_ranks: int) -> None:
    code, err = signalled(fit, out, moment, number, target, n_ranks)
    assert code in (75, 0, *codes_of_python(number, err)), err
    said = [line for line in err.splitlines() if line.startswith("intarsia: ")]
    # the last two: Ctrl-C before we could hear it, during our imports or Python's own
    ends = re.compile(
        r"intarsia: (stopped by |(rank \d+: )?interrupted|rank \d+: KeyboardInterrupt"
        r"|a rank ended before the ranks had met)"
    )
    assert all(map(ends.match, said)), err
    if code == 0:
        assert labels_in(out) == fit.answer
    elif list(out.glob("ck/checkpoint-*.npz")):
        fit.finish(out)
    else:  # to be run again from the start
        assert not (out / "labels.csv").exists()


@pytest.mark.parametrize("case", SAMPLE, ids=str)
def test_a_signal_at_some_moment(fit: Fit, tmp_path: Path, case: tuple[float, int, object, int]) -> None:
    check_signalled(fit, tmp_path / "out", *case)


@chaos
@pytest.mark.parametrize(
    "case", [(m, *e) for m in MOMENTS for e in EVERY] if CHAOS == "full" else ROTATED, ids=str
)
def test_a_signal_at_every_moment(fit: Fit, tmp_path: Path, case: tuple[float, int, object, int]) -> None:
    check_signalled(fit, tmp_path / "out", *case)


@chaos
@pytest.mark.parametrize("life", range(N_KILLS // KILLS_A_FIT))
def test_ranks_killed_at_random_moments(fit: Fit, tmp_path: Path, life: int) -> None:
    choose, out = random.Random(SEED * 1000 + life), tmp_path / "out"
    for _ in range(KILLS_A_FIT):
        with fit.start(choose.choice((1, 2, 3, 4)), out) as job:
            time.sleep(choose.uniform(0.2, 4.0) * fit.stretch)
            ranks = ranks_of(out)
            chosen = choose.choice((ranks, ranks[:1], ranks[-1:], [job.pid]))
            kill(chosen)
            try:
                job.communicate(timeout=WATCHDOG)
            except subprocess.TimeoutExpired:
                kill([*ranks_of(out), job.pid])
                pytest.fail("nobody ends")
        kill(ranks_of(out))  # a killed launcher cannot end them itself
    fit.finish(out)


def damage(path: Path, choose: random.Random) -> str:
    """Do something to a file that disks and people do."""
    content = bytearray(path.read_bytes())
    kind = choose.choice(("cut", "bits", "zeros", "empty", "noise", "longer", "gone"))
    at = choose.randrange(len(content))
    if kind == "cut":
        del content[at:]
    elif kind == "bits":
        for _ in range(choose.randint(1, 8)):
            content[choose.randrange(len(content))] ^= 1 << choose.randrange(8)
    elif kind == "zeros":
        content[at : at + 4096] = bytes(len(content[at : at + 4096]))
    elif kind == "empty":
        content.clear()
    elif kind == "noise":
        content[:] = choose.randbytes(len(content))
    elif kind == "longer":
        content += choose.randbytes(choose.randint(1, 999))
    path.unlink() if kind == "gone" else path.write_bytes(content)
    return kind


@pytest.fixture(scope="module")
def stopped(fit: Fit) -> Path:
    """The folder of a fit that was stopped in the middle, with two checkpoints."""
    out = fit.folder / "stopped"
    with fit.start(1, out) as job:
        last = time.monotonic() + WATCHDOG
        while len(list((out / "ck").glob("checkpoint-*.npz"))) < 2:
            assert time.monotonic() < last, "no checkpoints come"
            assert job.poll() is None, "it ended before"
            time.sleep(0.01)
        kill(ranks_of(out))
        job.communicate(timeout=WATCHDOG)
    return out


@chaos
@pytest.mark.parametrize("case", range(N_DAMAGES))
def test_damaged_checkpoints_change_nothing_or_are_refused(
    fit: Fit, stopped: Path, tmp_path: Path, case: int
) -> None:
    choose, out = random.Random(SEED * 1000 + case), tmp_path / "out"
    shutil.copytree(stopped, out)
    checkpoints = sorted((out / "ck").glob("checkpoint-*.npz"))
    hit = checkpoints if choose.random() < 0.2 else checkpoints[-1:]
    kinds = [damage(path, choose) for path in hit]
    done = fit.run(out, "--checkpoint", out / "ck", "--resume")
    if done.returncode == 0:
        assert labels_in(out) == fit.answer, kinds
    else:
        assert done.returncode == 2, (kinds, done.stderr)
        assert len(hit) == 2, kinds  # the one before was whole
        *warnings, refusal = done.stderr.splitlines()  # a warning for each that is damaged
        assert all(line.startswith("intarsia: warning: ") for line in warnings)
        assert refusal.startswith("intarsia: ")
        assert str(out / "ck") in refusal

"""A running one-node Slurm to submit the batch files to; scripts/test --slurm starts it."""

from __future__ import annotations

import fcntl
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[3] / "scripts" / "slurm"
FIT = ("demo:gauss100", "100", "result", "--seed", "7", "--effort", "paper", "--base-runs", "24")
LINGERING_FIT = """
import sys, time
from intarsia.cli.core.main import main
from intarsia.examce.checkpoint.files import Checkpoints

def lingering_note(self, state, note=Checkpoints.note):
    note(self, state)
    time.sleep(10)

Checkpoints.note = lingering_note
sys.exit(main())
"""
ENDED = {"COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY", "DEADLINE"}


@dataclass(frozen=True)
class Cluster:
    """Submits to the local cluster from one folder and watches what comes of it."""

    folder: Path
    environment: dict[str, str]

    def call(self, *command: str) -> str:
        """Standard output of a command of Slurm; its errors end the test."""
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 0, f"{' '.join(command)}: {done.stderr}"
        return done.stdout

    def submit(self, script: str, *more: str, fit: Sequence[str] = FIT, sbatch: str = "") -> str:
        """Submit a batch file with the arguments `fit` and `more`; the number of the job."""
        options = ["--parsable", *sbatch.split()]
        return self.call("sbatch", *options, str(SCRIPTS / script), *fit, *more).strip()

    def launching_by(self, launch: str) -> Cluster:
        """The same cluster with this way of starting MPI."""
        return replace(self, environment={**self.environment, "INTARSIA_LAUNCH": launch})

    def jobs(self, job: str) -> list[dict[str, str]]:
        """What Slurm knows of a job: one row, or one for each task of an array."""
        rows = self.call("scontrol", "--oneliner", "show", "job", job).splitlines()
        return [dict(re.findall(r"(\w+)=(\S*)", row)) for row in rows if row]

    def until(self, what: Callable[[], bool], seconds: float = 300) -> None:
        """Wait until `what` holds; say how things stand when it does not come to pass."""
        end = time.monotonic() + seconds
        while not what():
            if time.monotonic() > end:
                pytest.fail(f"waited {seconds} s\n{self.call('scontrol', 'show', 'job')}\n{self.logs()}")
            time.sleep(0.2)

    def states(self, job: str) -> set[str]:
        """The states of the job, or of the tasks of an array."""
        return {row["JobState"] for row in self.jobs(job)}

    def finish(self, job: str) -> set[str]:
        """Wait for the end of the job; the states in which it, or its tasks, ended."""
        self.until(lambda: self.states(job) <= ENDED)
        return self.states(job)

    def start_requeued(self, job: str) -> None:
        """Wait until the job is back in the queue and cut the two minutes that Slurm leaves it there.

        Three seconds have to remain: Slurm refuses to start what it has ended within the same one.
        """
        self.until(lambda: self.states(job) == {"PENDING"})
        self.call("scontrol", "update", f"JobId={job}", "StartTime=now+3seconds")

    def logs(self) -> str:
        """All that jobs have written in this folder."""
        return "\n".join(f"{log.name}:\n{log.read_text()}" for log in sorted(self.folder.glob("*.log")))

    def linger_at_first(self) -> None:
        """Let the first start of each job wait after its checkpoints: any machine has time to stop it."""
        folder = self.folder / "lingering"
        folder.mkdir()
        script = folder / "intarsia"
        script.write_text(f"#!{sys.executable}\n{LINGERING_FIT}")
        script.chmod(0o755)
        with open(self.folder / "activate", "a") as activate:
            activate.write(f"[[ ${{SLURM_RESTART_COUNT:-0}} != 0 ]] || export PATH={folder}:$PATH\n")

    @property
    def labels(self) -> Path:
        """The file with the answer."""
        return self.folder / "result" / "labels.csv"


@pytest.fixture(scope="session")
def slurm_conf() -> str:
    """Where the configuration of the local cluster is; skips without a cluster, unless one was promised."""
    done = subprocess.run([SCRIPTS / "local-cluster", "env"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        refuse = pytest.fail if os.environ.get("INTARSIA_SLURM_UP") == "1" else pytest.skip
        refuse("no Slurm is up: scripts/slurm/local-cluster up, or scripts/test --slurm")
    return done.stdout.strip().removeprefix("export SLURM_CONF=")


@pytest.fixture
def cluster(slurm_conf: str, tmp_path: Path) -> Cluster:
    """The local cluster, submitting from an empty folder."""
    activate = tmp_path / "activate"
    activate.write_text(f"export PATH={Path(sys.executable).parent}:$PATH\n")
    # a test of its own: nothing of a surrounding job, and the threads come from Slurm
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("SLURM_", "SBATCH_", "OMP_", "INTARSIA_LAUNCH", "INTARSIA_SHARDS"))
    }
    return Cluster(tmp_path, {**kept, "SLURM_CONF": slurm_conf, "INTARSIA_ACTIVATE": str(activate)})


@pytest.fixture(scope="session")
def serial_labels(slurm_conf: str, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """`labels.csv` of the fit as one process, without Slurm."""
    data, k, _, *options = FIT
    base = tmp_path_factory.getbasetemp()
    out = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "serial"
    command = [sys.executable, "-m", "intarsia", "fit", data, "-k", k, "--out", str(out), *options]
    with open(out.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # workers that test side by side want it once
        if not (out / "result.json").exists():
            subprocess.run(command, check=True, capture_output=True, timeout=300)
    return (out / "labels.csv").read_bytes()

"""Every batch file, submitted to a real Slurm, gives the answer of one process."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .conftest import Cluster

pytestmark = pytest.mark.slurm

LAUNCHERS = ["srun --mpi=pmi2", "mpiexec -launcher fork"]


@pytest.mark.parametrize("launch", LAUNCHERS)
def test_mpi_gives_the_serial_answer(cluster: Cluster, serial_labels: bytes, launch: str) -> None:
    job = cluster.launching_by(launch).submit("fit-mpi.sbatch", sbatch="--ntasks=2")
    assert cluster.finish(job) == {"COMPLETED"}, cluster.logs()
    assert cluster.labels.read_bytes() == serial_labels


def merge_job(cluster: Cluster) -> str:
    """The number of the job that merges: the first shard says it when it has submitted it."""
    submitted = re.compile(r"Submitted batch job (\d+)")
    cluster.until(lambda: submitted.search(cluster.logs()) is not None)
    return submitted.findall(cluster.logs())[0]


def test_array_merges_to_the_serial_answer(cluster: Cluster, serial_labels: bytes) -> None:
    array = cluster.submit("fit-array.sbatch", sbatch="--array=1-3")
    assert cluster.finish(merge_job(cluster)) == {"COMPLETED"}, cluster.logs()
    assert cluster.states(array) == {"COMPLETED"}
    shards = sorted(path.name for path in (cluster.folder / "result" / "shards").glob("*.npz"))
    assert shards == [f"shard-{i}-of-3.npz" for i in (1, 2, 3)]
    assert cluster.labels.read_bytes() == serial_labels


def test_array_with_a_failed_shard_is_not_merged(cluster: Cluster) -> None:
    array = cluster.submit("fit-array.sbatch", fit=("missing.csv", "3", "result"), sbatch="--array=1-2")
    assert cluster.finish(merge_job(cluster)) == {"CANCELLED"}
    assert cluster.states(array) == {"FAILED"}
    assert not cluster.labels.exists()


def submit_and_reach_a_checkpoint(cluster: Cluster, launch: str) -> str:
    cluster.linger_at_first()
    job = cluster.launching_by(launch).submit(
        "fit-requeue.sbatch", "--checkpoint-every", "1", sbatch="--ntasks=2 --cpus-per-task=1"
    )
    checkpoint = cluster.folder / "result" / "checkpoint"
    cluster.until(lambda: checkpoint.is_dir() and any(checkpoint.iterdir()))
    return job


def assert_second_start_finishes(cluster: Cluster, job: str, serial_labels: bytes) -> None:
    cluster.start_requeued(job)
    assert not cluster.labels.exists(), "the first start was over before it was stopped"
    assert cluster.finish(job) == {"COMPLETED"}, cluster.logs()
    assert cluster.jobs(job)[0]["Restarts"] == "1"
    assert cluster.labels.read_bytes() == serial_labels


@pytest.mark.parametrize("launch", LAUNCHERS)
def test_requeue_in_the_middle_changes_nothing(cluster: Cluster, serial_labels: bytes, launch: str) -> None:
    job = submit_and_reach_a_checkpoint(cluster, launch)
    cluster.call("scontrol", "requeue", job)
    assert_second_start_finishes(cluster, job, serial_labels)


@pytest.mark.parametrize("launch", LAUNCHERS)
def test_warned_job_requeues_itself(cluster: Cluster, serial_labels: bytes, launch: str) -> None:
    job = submit_and_reach_a_checkpoint(cluster, launch)
    cluster.call("scancel", "--batch", "--signal=USR1", job)  # as Slurm does before the time limit
    assert_second_start_finishes(cluster, job, serial_labels)
    assert "fit-requeue: checkpoint written" in cluster.logs()


def test_cancelled_job_stays_cancelled(cluster: Cluster) -> None:
    job = submit_and_reach_a_checkpoint(cluster, LAUNCHERS[0])
    cluster.call("scancel", job)
    assert cluster.finish(job) == {"CANCELLED"}
    assert cluster.jobs(job)[0]["Restarts"] == "0"

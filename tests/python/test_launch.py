"""Which executor a process gets, from what its launcher left in the environment."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

from intarsia import launch
from intarsia.executor import (
    SerialExecutor,
    ThreadExecutor,
    executor_for_runs,
    make_executor,
    on_rank_zero,
    resolve_threads,
)
from intarsia.executor.mpi.serialise import pack, unpack
from intarsia.launch import launched_rank, may_have_ranks

NAMES = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK", "MV2_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS")


@pytest.fixture
def launched(monkeypatch):
    """Pretend that a launcher left these variables, and no other did."""
    for name in (*NAMES, "INTARSIA_MPI", "SLURM_PROCID", "PMI_RANK", "OMPI_COMM_WORLD_RANK"):
        monkeypatch.delenv(name, raising=False)

    def leave(**variables):
        for name, value in variables.items():
            monkeypatch.setenv(name, value)

    return leave


@pytest.mark.parametrize(
    ("variables", "ranks", "rank"),
    [
        ({}, False, 0),
        ({"PMI_SIZE": "4", "PMI_RANK": "3"}, True, 3),
        ({"PMI_SIZE": "1", "PMI_RANK": "0"}, False, 0),
        ({"OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_RANK": "1", "PMIX_RANK": "1"}, True, 1),
        ({"PMIX_RANK": "2"}, True, 2),
        ({"SLURM_STEP_NUM_TASKS": "8", "SLURM_PROCID": "5", "PMIX_RANK": "5"}, True, 5),
        ({"SLURM_NTASKS": "8", "SLURM_PROCID": "0"}, False, 0),
        ({"PMI_SIZE": "4", "PMI_RANK": "3", "INTARSIA_MPI": "0"}, False, 0),
    ],
    ids=["nobody", "MPICH", "one rank", "Open MPI", "PMIx alone", "srun", "batch script", "switched off"],
)
def test_launchers(launched, variables, ranks, rank):
    launched(**variables)
    assert may_have_ranks() == ranks
    assert launched_rank() == rank


def test_several_processes_without_mpi4py_are_refused(launched, monkeypatch):
    launched(PMI_SIZE="4", PMI_RANK="1")
    for name in ("start", "world"):  # another test may have imported what imports mpi4py
        monkeypatch.delitem(sys.modules, f"intarsia.executor.mpi.{name}", raising=False)
    for name in ("mpi4py", "mpi4py.MPI"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ValueError, match=r"4 processes were started.*pip install intarsia\[mpi\]"):
        make_executor(1)


def test_no_launcher_no_mpi4py(launched):
    launched()
    code = "import sys, intarsia.executor as e; e.make_executor(2); sys.exit('mpi4py' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("executor", [SerialExecutor(), ThreadExecutor(2)])
def test_a_single_process_agrees_with_itself(executor):
    X = np.arange(3.0)
    assert (executor.rank, executor.n_ranks) == (0, 1)
    assert executor.agree(X) is X
    assert executor.share(X) is X
    assert on_rank_zero(executor, lambda: 7) == 7
    with pytest.raises(OSError, match="no such"):
        on_rank_zero(executor, lambda: (_ for _ in ()).throw(OSError("no such file")))


def test_a_task_that_asks_for_an_executor_computes_by_itself(launched):
    launched()
    kinds = ThreadExecutor(2).map(lambda task, shared: type(make_executor(4)), range(3), None)
    assert kinds == [SerialExecutor] * 3
    assert isinstance(make_executor(4), ThreadExecutor)


def test_threads_go_inside_the_runs_when_these_are_few(launched):
    launched()
    executor, inside = executor_for_runs(8, 4)
    assert (executor.n_workers, inside) == (4, 1)
    executor, inside = executor_for_runs(3, 4)
    assert (executor.n_workers, inside) == (1, 4)
    assert resolve_threads(4) == 4


def test_a_stream_keeps_values_types_and_shapes():
    value = {
        "a": [1, "two", None],
        "f": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        "e": np.empty((0, 2)),
    }
    got = unpack(pack(value))
    assert got["a"] == value["a"]
    assert got["f"].flags.f_contiguous
    np.testing.assert_array_equal(got["f"], value["f"])
    assert got["e"].shape == (0, 2)
    got["f"][0, 0] = 9.0  # its own memory, and not read-only
    assert value["f"][0, 0] == 0.0


def test_arrays_are_not_in_the_pickle():
    X = np.zeros((1000, 10))
    assert len(pack(X)) - X.nbytes < 300


@pytest.mark.skipif(sys.platform != "linux", reason="asks a pipe how full it is")
def test_last_words_are_read_before_the_job_ends():
    """A launcher throws away what it has not read of a rank that ends the job."""
    ears, mouth = os.pipe()
    os.write(mouth, b"why")
    reader = threading.Timer(0.05, os.read, [ears, 64])
    reader.start()
    launch._wait_until_read(mouth)
    assert launch._unread(mouth) == 0
    reader.join()
    for end in (ears, mouth):
        os.close(end)


def test_a_file_has_nothing_unread(tmp_path):
    with open(tmp_path / "err", "wb", buffering=0) as file:
        file.write(b"why")
        file.seek(0)
        assert launch._unread(file.fileno()) == 0

"""A rank that never comes, or leaves the others in the middle, ends the job; one line says which and why."""

from __future__ import annotations

import sys

import pytest

from .conftest import own_lines

FIT = ("-m", "intarsia", "fit", "demo:iris", "-k", 3, "--method", "kmeans")
UNKNOWN = "unrecognized arguments: --depth 3; did you mean --method? (see intarsia fit --help)"


def job(mpirun, n_ranks, words, **different):
    """Run a fit on ranks of which the last gets more words, or another environment."""
    change = [f"{name}={value}" for name, value in different.items()]
    last = [":", "-n", 1, "env", *change, sys.executable, *FIT, *words]
    return mpirun(n_ranks - 1, *FIT, *last)


@pytest.mark.parametrize("n_ranks", [2, 4])
def test_a_bad_option_on_one_rank(mpirun, n_ranks):
    done = job(mpirun, n_ranks, ["--depth", 3])
    assert done.code == 2
    assert own_lines(done) == [f"intarsia: rank {n_ranks - 1}: {UNKNOWN}"]


def test_a_bad_option_on_all_ranks_is_said_once(mpirun):
    done = mpirun(3, *FIT, "--depth", 3)
    assert done.code == 2
    assert own_lines(done) == [f"intarsia: rank 0: {UNKNOWN}"]


@pytest.mark.parametrize("n_ranks", [2, 4])
def test_a_rank_that_wants_no_mpi(mpirun, n_ranks):
    endless = ["--quiet", "--method", "random-swap", "--swaps", 10**9]  # or it is gone before anybody looks
    done = job(mpirun, n_ranks, endless, INTARSIA_MPI=0)
    assert done.code != 0
    reason = "computes for itself (INTARSIA_MPI=0): set it for all ranks or for none"
    assert own_lines(done) == [f"intarsia: rank {n_ranks - 1} {reason}"]


@pytest.mark.parametrize("now", [{0: False, 1: True}, {0: False}], ids=["there", "gone already"])
def test_who_computes_for_itself_is_named(now):
    start = pytest.importorskip("intarsia.executor.mpi.start", reason="no mpi4py: pip install intarsia[mpi]")
    reason = start._who_will_not_come({0: False, 1: True}, now)
    assert reason.startswith("rank 1 computes for itself")


@pytest.mark.parametrize("module", ["mpi4py", "numpy"])
def test_a_broken_module_on_one_rank(mpirun, tmp_path, module):
    (tmp_path / module).mkdir()
    (tmp_path / module / "__init__.py").write_text("raise ImportError('no such library')")
    done = job(mpirun, 2, [], PYTHONPATH=tmp_path)
    assert done.code != 0
    (line,) = own_lines(done)
    assert line.startswith("intarsia: rank 1: ")
    assert "no such library" in line


@pytest.mark.parametrize(
    ("how", "line"),
    [
        ("raises before", "rank 1: KeyError: 'only here'"),
        ("leaves before", "rank 1 ended before the ranks had met"),
        ("gone before anything", "a rank ended before the ranks had met"),
        ("leaves inside", "rank 1: ended while the others went on computing"),
        ("leaves a task", "rank 1: left in the middle of a computation"),
        ("leaves between", "rank 1: ended while the others went on computing"),
    ],
)
def test_a_script_in_which_one_rank_is_lost(mpirun, how, line):
    done = mpirun(3, "lost_rank.py", how, 1)
    assert done.code != 0
    assert own_lines(done) == [f"intarsia: {line}"]


def test_a_script_in_which_the_first_rank_leaves(mpirun):
    done = mpirun(2, "lost_rank.py", "leaves between", 0)
    assert done.code != 0
    assert own_lines(done) == ["intarsia: rank 0: ended while the others went on computing"]

"""One rank in trouble ends the job soon, with one message; an error of all ranks is said once."""

from __future__ import annotations

import re
import time

import pytest

from .conftest import own_lines


def seconds_since_failing(done):
    return time.monotonic() - float(re.search(r"failing at (\S+)", done.err)[1])


def test_a_rank_that_raises(mpirun, tmp_path):
    failing = 2
    logs = tmp_path / "logs"
    done = mpirun(3, "failing_fit.py", "--log-dir", logs, FAILING=failing, KIND="raises")
    assert seconds_since_failing(done) < 10
    assert done.code != 0
    message = "unexpected RuntimeError: the lamp went out (--debug shows where)"
    assert own_lines(done) == [f"intarsia: rank {failing}: {message}"]
    assert "Traceback" not in done.err
    log = (logs / f"rank-{failing:04d}.log").read_text()
    assert "task" in log
    assert "Traceback" in log
    assert "in in_trouble" in log


def test_a_rank_that_is_interrupted(mpirun):
    done = mpirun(3, "failing_fit.py", FAILING=0, KIND="interrupt")
    assert seconds_since_failing(done) < 10
    assert done.code != 0
    assert own_lines(done) == ["intarsia: rank 0: interrupted"]


def test_a_rank_that_is_killed(mpirun):
    done = mpirun(2, "failing_fit.py", FAILING=1, KIND="killed")
    assert seconds_since_failing(done) < 10
    assert done.code != 0


def test_a_script_in_which_one_rank_raises(mpirun):
    done = mpirun(3, "failing_script.py")
    assert done.code != 0
    assert "KeyError: 'only here'" in done.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["missing.csv", "-k", 3], "missing.csv: no such file."),
        (["demo:iris", "-k", 200], "number of points 150 should be >= -k 200."),
    ],
    ids=["read on rank 0", "checked on all"],
)
def test_bad_input_is_said_once(mpirun, words, message):
    done = mpirun(3, "-m", "intarsia", "fit", *words)
    assert done.code == 2
    assert (done.out, done.err) == ("", f"intarsia: {message}\n")

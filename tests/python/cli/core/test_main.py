"""The command as a whole: help, version, exit codes, pipes, progress."""

from __future__ import annotations

import io
import subprocess
import sys

import pytest

import intarsia as package
from intarsia.cli.doctor import command as doctor
from intarsia.cli.fit import command as fit
from intarsia.report.terminal import progress_bar

COMMANDS = [
    [],
    ["fit"],
    ["ensemble"],
    ["combine"],
    ["compare"],
    ["doctor"],
    ["bench"],
    ["bench", "kmeans"],
    ["bench", "hk-means"],
]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("terminal", ["40", "200"])
def test_help_fits_a_terminal_and_ends_with_an_example(intarsia, monkeypatch, words, terminal):
    monkeypatch.setenv("COLUMNS", terminal)
    outcome = intarsia(*words, "--help")
    assert outcome.code == 0
    assert outcome.err == ""
    lines = outcome.out.splitlines()
    assert max(map(len, lines)) <= 80
    example = lines[lines.index("example:") + 1 :]
    assert example
    assert all(line.startswith("  intarsia ") for line in example)


def test_help_examples_are_understood():
    from intarsia.cli.core.main import build_parser

    for example in (fit.EXAMPLE, doctor.EXAMPLE):
        for line in example.splitlines():
            words = line.split()[1:]
            assert callable(build_parser(words).parse_args(words).run)


def test_version(intarsia):
    outcome = intarsia("--version")
    assert (outcome.code, outcome.out) == (0, f"intarsia {package.__version__}\n")


def raising(error):
    def run(args):
        raise error

    return run


def test_interrupt(intarsia, monkeypatch):
    monkeypatch.setattr(fit, "run", raising(KeyboardInterrupt()))
    assert intarsia("fit", "demo:iris", "-k", 3).code == 130


def test_a_bug_is_one_line_and_exit_1(intarsia, monkeypatch):
    monkeypatch.setattr(fit, "run", raising(RuntimeError("two\nlines")))
    outcome = intarsia("fit", "demo:iris", "-k", 3)
    assert outcome.code == 1
    assert outcome.err == "intarsia: unexpected RuntimeError: two lines (--debug shows where)\n"


@pytest.mark.parametrize("words", [["--debug", "fit"], ["fit", "--debug"]])
def test_debug_shows_the_traceback(intarsia, monkeypatch, words):
    monkeypatch.setattr(fit, "run", raising(RuntimeError("oops")))
    outcome = intarsia(*words, "demo:iris", "-k", 3)
    assert outcome.code == 1
    assert "Traceback" in outcome.err


def test_python_m_intarsia_in_a_pipe_has_no_bar_and_no_colour(subprocess_intarsia):
    outcome = subprocess_intarsia("fit", "demo:iris", "-k", 3)
    assert (outcome.code, outcome.err) == (0, "")
    assert "\x1b" not in outcome.out


def test_bad_input_in_a_process_of_its_own(subprocess_intarsia):
    outcome = subprocess_intarsia("fit", "nowhere.csv", "-k", 3)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1


def test_a_reader_that_leaves_early_is_no_error():
    command = [sys.executable, "-m", "intarsia", "fit", "demo:iris", "-k", "3"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=120) == 141


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_bar_on_a_terminal(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    with progress_bar("runs", 3) as advance:
        for _ in range(3):
            advance("any", "argument")
    assert "3/3" in sys.stderr.getvalue()


@pytest.mark.parametrize("quiet", [True, False])
def test_no_bar_in_a_pipe_or_when_quiet(monkeypatch, quiet):
    monkeypatch.setattr(sys, "stderr", Terminal() if quiet else io.StringIO())
    with progress_bar("runs", 3, quiet=quiet) as advance:
        advance()
    assert sys.stderr.getvalue() == ""

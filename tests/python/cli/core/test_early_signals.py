"""Signals in the first moments of a command, while Python still imports; and how short those moments are."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

import intarsia
from intarsia.cli.core.signals import SignalWatch

# Says "ready" as soon as signals are heard, then runs the command as usual.
PROGRAM = """
import sys
from intarsia.cli.core import main, signals

class Watch(signals.SignalWatch):
    def __init__(self, *words):
        super().__init__(*words)
        heavy = {"numpy", "scipy", "sklearn", "highspy", "rich"} & set(sys.modules)
        print("ready", *sorted(heavy), flush=True)

signals.SignalWatch = Watch
sys.exit(main.main(sys.argv[1:]))
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGUSR1])
def test_a_signal_before_anything_is_done(tmp_path, number):
    words = ["fit", "demo:gauss100", "-k", "100", "--effort", "high", "--checkpoint", str(tmp_path / "ck")]
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 75
    assert err == f"intarsia: stopped by {number.name}, nothing done yet; run again with --resume\n"
    assert not (tmp_path / "ck").exists()


def test_a_signal_kept_for_a_meeting_that_never_was(monkeypatch):
    monkeypatch.setenv("PMI_SIZE", "2")
    monkeypatch.setenv("PMI_RANK", "0")
    monkeypatch.delenv("INTARSIA_MPI", raising=False)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        watch = SignalWatch(keeps_checkpoints=False)
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            watch.close()
        watch.close()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


def modules_after(code):
    """What is loaded of the heavy packages after a program."""
    report = "import sys; print(*({'numpy', 'scipy', 'sklearn', 'highspy', 'rich'} & set(sys.modules)))"
    command = [sys.executable, "-c", f"{code}; {report}"]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.split()


def test_help_and_bare_import_load_nothing_heavy():
    assert modules_after("import intarsia, logging") == []
    build = "from intarsia.cli.core.main import COMMANDS, build_parser"
    assert modules_after(f"{build}; build_parser([]).format_help()") == []
    assert modules_after(f"{build}; [build_parser([name]).format_help() for name in COMMANDS]") == []


def test_every_public_name_is_found():
    for name in intarsia.__all__:
        assert getattr(intarsia, name) is not None
    assert set(intarsia.__all__) <= set(dir(intarsia))
    assert "import_module" not in dir(intarsia)
    assert intarsia.Examce.__module__ == "intarsia.examce.estimator"
    assert intarsia.combine.__module__ == "intarsia.consensus.combine"
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = intarsia.nothing

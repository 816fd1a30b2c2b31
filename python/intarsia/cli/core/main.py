"""Entry point of the `intarsia` command: hear signals first, then import what takes long, then run."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from intarsia.cli.core.parser import in_options
from intarsia.cli.core.signals import INTERRUPTED, StoppedBySignal, watching_signals
from intarsia.launch import launched_rank, say


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    0 for success, 1 for a failed check or a bug, 2 for bad input, 75 when a signal stopped a fit that keeps
    checkpoints, 130 when interrupted.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    with watching_signals(words) as signals, _warnings_in_one_line():
        try:
            from intarsia.cli.core.command import (
                run_command,  # here: until now nobody would have heard a signal
            )

            return run_command(words, signals)
        except StoppedBySignal as stopped:  # on all ranks
            if launched_rank() == 0:
                say(str(stopped))
            return stopped.code
        except KeyboardInterrupt:  # during the imports
            say("interrupted")
            return INTERRUPTED


@contextmanager
def _warnings_in_one_line() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.showwarning = lambda message, *_, **__: say(f"warning: {in_options(str(message))}")
        yield

"""Entry point of the `intarsia` command: hear signals first, then import what takes long, then run."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from intarsia.cli.exit_codes import INTERRUPTED
from intarsia.cli.signals import watching_signals


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    0 for success, 1 for a failed check or a bug, 2 for bad input, 75 when a signal stopped a fit that keeps
    checkpoints, 130 when interrupted.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    with watching_signals(words) as signals:
        try:
            from intarsia.cli.command import run_command  # here: until now nobody would have heard a signal

            return run_command(words, signals)
        except KeyboardInterrupt:  # during the imports
            print("intarsia: interrupted", file=sys.stderr)
            return INTERRUPTED

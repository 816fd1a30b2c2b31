"""Entry point of the `intarsia` command: find the subcommand, run it, turn errors into one line."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import traceback
from collections.abc import Sequence
from types import ModuleType

from intarsia._version import __version__
from intarsia.cli import bench, combine, compare, doctor, ensemble, fit, merge, study
from intarsia.cli.exit_codes import BAD_INPUT, BROKEN_PIPE, BUG, DONE, INTERRUPTED
from intarsia.cli.parser import Parser
from intarsia.cli.ranks import join_ranks, leave, quiet_unless_first, stay_alone

COMMANDS: tuple[ModuleType, ...] = (fit, ensemble, combine, compare, merge, doctor, bench, study)

_log = logging.getLogger("intarsia.cli")

EXAMPLE = """\
  intarsia fit demo:gauss100 -k 100 --out result
  intarsia fit points.csv -k 8 --method random-swap --json"""


def build_parser() -> Parser:
    """Return the parser with one subparser per command."""
    parser = Parser(
        prog="intarsia",
        description="Many clusterings in, one better clustering out.",
        example=EXAMPLE,
    )
    parser.add_argument("--version", action="version", version=f"intarsia {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for module in COMMANDS:
        command = module.add_parser(commands)
        command.set_defaults(run=module.run, spreads=getattr(module, "SPREADS", False))
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    0 for success, 1 for a failed check or a bug, 2 for bad input, 75 when a signal stopped a fit that keeps
    checkpoints, 130 when interrupted.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        with quiet_unless_first():
            return _run(words)
    except BrokenPipeError:
        return _leave_broken_pipe()
    except KeyboardInterrupt:
        return _complain("interrupted", INTERRUPTED, words)
    except (ValueError, TypeError, OSError) as error:
        return _complain(_one_line(error), BAD_INPUT, words)
    except Exception as error:
        text = f"unexpected {type(error).__name__}: {_one_line(error)} (--debug shows where)"
        return _complain(text, BUG, words)


def _run(words: list[str]) -> int:
    try:
        args = build_parser().parse_args(words)
    except SystemExit as leave:  # --help and --version
        code = int(leave.code or 0)
    else:
        code = _run_on_ranks(args)
    sys.stdout.flush()  # a reader that went away shows here, not in the interpreter's last words
    return code


def _run_on_ranks(args: argparse.Namespace) -> int:
    if args.spreads:
        join_ranks()
    elif not stay_alone():
        return DONE
    return int(args.run(args))


def _complain(message: str, code: int, words: list[str]) -> int:
    _log.error(message, exc_info=True)
    if "--debug" in words:
        traceback.print_exc()
    return leave(message, code)


def _one_line(error: BaseException) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return " ".join(str(error).split()) or type(error).__name__


def _leave_broken_pipe() -> int:
    # Python flushes stdout once more at exit: let that go nowhere instead of raising again
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return BROKEN_PIPE

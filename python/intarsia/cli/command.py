"""One command line: find the subcommand, run it, turn errors into one line."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import traceback
from types import ModuleType
from typing import Any

from intarsia.cli import bench, combine, compare, doctor, ensemble, fit, merge, study
from intarsia.cli.exit_codes import BAD_INPUT, BROKEN_PIPE, BUG, DONE, INTERRUPTED
from intarsia.cli.parser import Parser
from intarsia.cli.ranks import join_ranks, leave, quiet_unless_first, stay_alone
from intarsia.cli.signals import SignalWatch

COMMANDS: tuple[ModuleType, ...] = (fit, merge, ensemble, combine, compare, doctor, bench, study)

_log = logging.getLogger("intarsia.cli")

EXAMPLE = """\
  intarsia fit demo:gauss100 -k 100 --out result
  intarsia fit points.csv -k 8 --method random-swap --json"""


class _ShowVersion(argparse.Action):
    """Looks the version up only when asked: it takes longer than all the rest."""

    def __init__(self, **options: Any) -> None:
        super().__init__(nargs=0, **options)

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from intarsia._version import __version__

        print(f"intarsia {__version__}")
        parser.exit()


def build_parser() -> Parser:
    """Return the parser with one subparser per command."""
    parser = Parser(
        prog="intarsia",
        description="Many clusterings in, one better clustering out.",
        example=EXAMPLE,
    )
    parser.add_argument("--version", action=_ShowVersion, help="show program's version number and exit")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for module in COMMANDS:
        command = module.add_parser(commands)
        command.set_defaults(run=module.run, spreads=getattr(module, "SPREADS", False))
    return parser


def run_command(words: list[str], signals: SignalWatch | None = None) -> int:
    """Run the words of a command line and return its exit code; `signals` watches while it runs."""
    try:
        with quiet_unless_first():
            return _run(words, signals)
    except BrokenPipeError:
        return _leave_broken_pipe()
    except KeyboardInterrupt:
        return _complain("interrupted", INTERRUPTED, words)
    except (ValueError, TypeError, OSError) as error:
        return _complain(_one_line(error), BAD_INPUT, words)
    except Exception as error:
        text = f"unexpected {type(error).__name__}: {_one_line(error)} (--debug shows where)"
        return _complain(text, BUG, words)


def _run(words: list[str], signals: SignalWatch | None) -> int:
    try:
        args = build_parser().parse_args(words, argparse.Namespace(signals=signals))
    except SystemExit as leave:  # --help and --version
        code = int(leave.code or 0)
    else:
        code = _run_on_ranks(args)
    sys.stdout.flush()  # a reader that went away shows here, not in the interpreter's last words
    return code


def _run_on_ranks(args: argparse.Namespace) -> int:
    if args.spreads:
        join_ranks(args.signals)
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

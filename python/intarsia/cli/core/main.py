"""The `intarsia` command: hear signals, find the subcommand, run it, turn errors into one line.

Nothing here takes long to import: a command does that when it runs, and signals are heard by then.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import time
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from intarsia.cli.core.parser import Parser, UsageError, in_options
from intarsia.cli.core.signals import (
    BAD_INPUT,
    BROKEN_PIPE,
    BUG,
    DONE,
    INTERRUPTED,
    SignalWatch,
    StoppedBySignal,
    join_ranks,
    leave,
    quiet_unless_first,
    stay_alone,
    watching_signals,
)
from intarsia.launch import launched_rank, say


@dataclass(frozen=True)
class Command:
    """A subcommand: its line in the help, its module in `intarsia.cli`, whether MPI ranks share its work.

    The module has DESCRIPTION, EXAMPLE, `add_options(parser)`, `run(args)`, maybe `check(args)` for what can
    be refused before anything takes long. It is imported only when the command is named, and imports what
    takes long when it runs: help must not wait for NumPy.
    """

    summary: str
    module: str
    spreads: bool = False


COMMANDS: dict[str, Command] = {
    "fit": Command("cluster a data set", "fit.command", spreads=True),
    "predict": Command("label new points by a saved result", "predict"),
    "merge": Command("put the shards of a fit together", "merge", spreads=True),
    "boost": Command("cluster in rounds, each about what was hard", "rounds.boost", spreads=True),
    "bag": Command("cluster in rounds on resampled points", "rounds.bag", spreads=True),
    "multi": Command("choose the best clusters of several algorithms", "multi.command", spreads=True),
    "ensemble": Command("make many clusterings of a data set", "ensemble", spreads=True),
    "combine": Command("make one clustering of many", "combine.command", spreads=True),
    "compare": Command("measure how alike two partitions are", "compare"),
    "doctor": Command("show versions, threads, SIMD level, and check that all works", "doctor.command"),
    "bench": Command("measure speed and quality", "bench.command"),
    "study": Command("run a paper's experiments", "study.command", spreads=True),
}

EXAMPLE = """\
  intarsia fit demo:gauss100 -k 100 --out result
  intarsia fit points.csv -k 8 --method random-swap --json"""

_log = logging.getLogger("intarsia.cli")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    0 for success, 1 for a failed check or a bug, 2 for bad input, 75 when a signal stopped a fit that keeps
    checkpoints, 130 when interrupted.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    with watching_signals(words) as signals, _warnings_in_one_line():
        try:
            return run_command(words, signals)
        except StoppedBySignal as stopped:  # on all ranks
            if launched_rank() == 0:
                say(str(stopped))
            return stopped.code
        except KeyboardInterrupt:  # before the command could say so itself
            say("interrupted")
            return INTERRUPTED


@contextmanager
def _warnings_in_one_line() -> Iterator[None]:
    said = set()  # a file that is read in two ways warns twice

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        text = in_options(str(message))
        if text not in said:
            said.add(text)
            say(f"warning: {text}")

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield


class _ShowVersion(argparse.Action):
    """Looks the version up only when asked: it takes longer than all the rest."""

    def __init__(self, **options: Any) -> None:
        super().__init__(nargs=0, **options)

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from intarsia import __version__

        print(f"intarsia {__version__}")
        parser.exit()


def build_parser(words: Sequence[str]) -> Parser:
    """Return the parser for a command line: every command by name, the named one with its options."""
    parser = Parser(
        prog="intarsia",
        description="Many clusterings in, one better clustering out.",
        example=EXAMPLE,
    )
    parser.add_argument("--version", action=_ShowVersion, help="show program's version number and exit")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    # no option before the command has a value
    named = next((word for word in words if not word.startswith("-")), None)
    for name, command in COMMANDS.items():
        if name == named:
            _add_named(commands, name, command)
        else:
            commands.add_parser(name, help=command.summary)
    return parser


def parse(words: list[str], into: argparse.Namespace) -> argparse.Namespace:
    """Return the words as arguments; those that nobody knows are named, with the nearest that are known."""
    args, unknown = build_parser(words).parse_known_args(words, into)
    if unknown:
        args.parser.refuse_unknown(unknown)
    del args.parser
    return args


def _add_named(commands: Any, name: str, command: Command) -> None:
    module = import_module(f"intarsia.cli.{command.module}")
    texts = {"help": command.summary, "description": module.DESCRIPTION, "example": module.EXAMPLE}
    parser: Parser = commands.add_parser(name, **texts)
    module.add_options(parser)
    check = getattr(module, "check", None)
    parser.set_defaults(run=module.run, check=check, spreads=command.spreads, parser=parser)


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
        # the interpreter and its imports came before: one thread, which did nothing but compute
        began = time.perf_counter() - time.process_time()
        args = parse(words, argparse.Namespace(signals=signals, began=began))
    except SystemExit as leave:  # --help and --version
        code = int(leave.code or 0)
    else:
        if args.check is not None:
            args.check(args)
        code = _run_on_ranks(args)
    sys.stdout.flush()  # a reader that went away shows here, not in the interpreter's last words
    return code


def _run_on_ranks(args: argparse.Namespace) -> int:
    if args.spreads:
        join_ranks(args.signals)
    elif not stay_alone(args.signals):
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
    text = " ".join(str(error).split())
    # what is said of a command line is in its words already, and may quote them
    return (text if isinstance(error, UsageError) else in_options(text)) or type(error).__name__


def _leave_broken_pipe() -> int:
    # Python flushes stdout once more at exit: let that go nowhere instead of raising again
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return BROKEN_PIPE

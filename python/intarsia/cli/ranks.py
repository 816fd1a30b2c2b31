"""How the command behaves as one of several MPI ranks: who speaks, and how all of them end."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from types import FrameType
from typing import TYPE_CHECKING

from intarsia.cli.exit_codes import INTERRUPTED
from intarsia.launch import compute_alone, joined_world, launched_rank, may_have_ranks

if TYPE_CHECKING:
    from intarsia.cli.signals import SignalWatch

PATIENCE = 5.0  # seconds: an error of all ranks, such as a missing file, reaches them within this
_SHORT_PATIENCE = 1.0


def join_ranks(signals: SignalWatch | None) -> None:
    """Find the other ranks, if any; from here on a signal to one of them is heard by the first."""
    from intarsia.executor import find_world  # imported here: help must not wait for NumPy

    world = find_world()
    if world is None:
        return
    if signals is None:
        signal.signal(signal.SIGINT, _interrupt)
    else:
        world.when_asked_to_stop, signals.pass_on = signals.stop, world.ask_to_stop


def stay_alone() -> bool:
    """Whether this process does the work of a command that knows no ranks: rank 0 does, by itself."""
    first = launched_rank() == 0
    if may_have_ranks():
        compute_alone()
    return first


@contextmanager
def quiet_unless_first() -> Iterator[None]:
    """Let rank 0 alone print on stdout."""
    if launched_rank() == 0:
        yield
        return
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere):
        yield


def leave(message: str, code: int, patience: float = PATIENCE) -> int:
    """Say once why the command ends and return its code; ranks that know nothing of it are ended too."""
    world = joined_world()
    if world is None or world.everyone_fails(patience):
        if launched_rank() == 0:
            _say(message)
        return code
    if world.first_to_fail():
        _say(f"rank {world.rank}: {message}")
    else:
        time.sleep(patience)  # the first one has said it and is ending the job
    world.abort(code)
    return code


def _say(message: str) -> None:
    print(f"intarsia: {message}", file=sys.stderr, flush=True)


def _interrupt(signal_number: int, frame: FrameType | None) -> None:
    leave("interrupted", INTERRUPTED, _SHORT_PATIENCE)
    world = joined_world()
    if world is not None:
        world.abort(INTERRUPTED)

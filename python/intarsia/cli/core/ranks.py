"""How the command behaves as one of several MPI ranks: who speaks, and how all of them end."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout

from intarsia.cli.core.signals import SignalWatch
from intarsia.launch import (
    compute_alone,
    end_job,
    fail_alone,
    joined_world,
    launched_rank,
    may_have_ranks,
    say,
)

PATIENCE = 5.0  # seconds: an error of all ranks, such as a missing file, reaches them within this


def join_ranks(signals: SignalWatch | None) -> None:
    """Find the other ranks, if any; from here on a signal to one of them is heard by the first."""
    from intarsia.executor import find_world  # imported here: help must not wait for NumPy

    world = find_world()
    if world is not None and signals is not None:
        signals.meet(world)


def stay_alone(signals: SignalWatch | None) -> bool:
    """Whether this process does the work of a command that knows no ranks: rank 0 does, by itself."""
    first = launched_rank() == 0
    if may_have_ranks():
        compute_alone()
        if signals is not None:
            signals.close()
    return first


@contextmanager
def quiet_unless_first() -> Iterator[None]:
    """Let rank 0 alone print on stdout."""
    if launched_rank() == 0:
        yield
        return
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere):
        yield


def leave(message: str, code: int) -> int:
    """Say once why the command ends and return its code; ranks that know nothing of it are ended too."""
    world = joined_world()
    if world is None and may_have_ranks():
        fail_alone(message, code)
    if world is not None and not world.everyone_fails(PATIENCE):
        if world.first_to_fail():
            say(f"rank {world.rank}: {message}")
        else:
            time.sleep(PATIENCE)  # the first one has said it and is ending the job
        end_job(code)
    if launched_rank() == 0:
        say(message)
    return code

"""SIGTERM and SIGUSR1, Slurm's warnings: write a checkpoint and leave, whatever the search is busy with.

Under several ranks Ctrl-C does the same: there the ranks would not end together with a best so far. Until
they have met, a signal is kept: for a rank that left before, the others would wait in MPI_Init.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from types import FrameType
from typing import NoReturn, Protocol

from intarsia.launch import (
    compute_alone,
    end_job,
    fail_alone,
    joined_world,
    launched_rank,
    may_have_ranks,
    say,
)

_OTHERS_WAIT = 60.0  # seconds: the first rank writes, and its end takes the others with it
_LAST_WORDS = 5.0  # seconds
_ANOTHER_RANK = 0  # in the pipe and among kept signals, where others are the numbers of signals
_NOTHING_DONE = "nothing done yet; run again with --resume"

Save = Callable[[], bool]
PassOn = Callable[[], None]


class MetRanks(Protocol):
    """What the ranks of a job have to offer here; see `executor.mpi.world.World`."""

    when_asked_to_stop: Callable[[], None] | None

    def ask_to_stop(self) -> None:
        """Let rank 0 know that this rank was told to end."""
        ...

    def sum_over_ranks(self, value: int) -> int:
        """Return the sum of every rank's value, on every rank."""
        ...


class StoppedBySignal(BaseException):
    """A signal came before anything was done: all ranks end together, with this message and code."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


class SignalWatch:
    """A thread that hears of signals at once, also while the main thread is deep inside a kernel.

    Parameters
    ----------
    keeps_checkpoints : bool
        Whether the command writes any; otherwise only Ctrl-C is heard, and that under several ranks.

    Attributes
    ----------
    save : callable or None
        Writes a checkpoint and says whether there was anything to write; None while there cannot be.
    """

    def __init__(self, keeps_checkpoints: bool = True) -> None:
        self.save: Save | None = None
        self._keeps_checkpoints = keeps_checkpoints
        self._is_closed = False
        # tells the first rank of a signal that only this one may have heard
        self._pass_on: PassOn | None = None
        self._kept: list[int] | None = [] if may_have_ranks() else None  # None: signals are answered at once
        self._keeping = threading.Lock()
        self._ears, self._mouth = os.pipe()
        os.set_blocking(self._mouth, False)
        self._old_mouth = signal.set_wakeup_fd(self._mouth, warn_on_full_buffer=False)
        warnings = (signal.SIGTERM, signal.SIGUSR1) if keeps_checkpoints else ()
        watched = (*warnings, *((signal.SIGINT,) if may_have_ranks() else ()))
        # Python writes the number to the pipe before it calls the handler
        self._old = {number: signal.signal(number, self._handle) for number in watched}
        self._thread = threading.Thread(target=self._listen, name="signals", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Leave signals to whoever had them before, also those kept for a meeting that never was."""
        if self._is_closed:
            return
        self._is_closed = True
        signal.set_wakeup_fd(self._old_mouth)
        for number, handler in self._old.items():
            signal.signal(number, handler)
        os.close(self._mouth)  # the thread reads the end of the pipe
        self._thread.join(_LAST_WORDS)
        for number in self._answer_from_now_on():
            signal.raise_signal(number)

    def meet(self, ranks: MetRanks) -> None:
        """From here on a signal to any rank is heard by the first; what was kept ends all of them now."""
        self._pass_on, ranks.when_asked_to_stop = ranks.ask_to_stop, self.stop
        kept = self._answer_from_now_on()
        if ranks.sum_over_ranks(len(kept)) == 0:
            return
        if self._keeps_checkpoints:
            raise StoppedBySignal(f"stopped by {_cause([*kept, _ANOTHER_RANK][0])}, {_NOTHING_DONE}", STOPPED)
        raise StoppedBySignal("interrupted", INTERRUPTED)

    def stop(self) -> None:
        """Act as if a signal had come, since another rank got one."""
        os.write(self._mouth, bytes([_ANOTHER_RANK]))

    def _handle(self, number: int, frame: FrameType | None) -> None:
        # the thread answers; this only keeps the signal from ending the process
        if self._pass_on is not None and self._keeps_checkpoints and launched_rank() > 0:
            self._pass_on()

    def _answer_from_now_on(self) -> list[int]:
        with self._keeping:
            kept, self._kept = self._kept or [], None
        return kept

    def _listen(self) -> None:
        while heard := os.read(self._ears, 64):
            for number in heard:
                if number == _ANOTHER_RANK or number in self._old:
                    self._hear(number)
        os.close(self._ears)

    def _hear(self, number: int) -> None:
        with self._keeping:
            if self._kept is not None:
                self._kept.append(number)
                return
        if not self._keeps_checkpoints:
            fail_alone("interrupted", INTERRUPTED)
        self._leave(_cause(number))

    def _leave(self, cause: str) -> NoReturn:
        if launched_rank() > 0:
            time.sleep(_OTHERS_WAIT)
            end_job(STOPPED)
        code, what = self._save()
        say(f"stopped by {cause}, {what}")
        end_job(code)

    def _save(self) -> tuple[int, str]:
        try:
            saved = self.save is not None and self.save()
        except Exception as error:  # whatever went wrong, the process has to end
            return BUG, f"but no checkpoint could be written: {_reason(error)}"
        return STOPPED, "checkpoint written; run again with --resume" if saved else _NOTHING_DONE


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return str(error)


def _cause(number: int) -> str:
    return "a signal to another rank" if number == _ANOTHER_RANK else signal.Signals(number).name


@contextmanager
def watching_signals(words: Sequence[str]) -> Iterator[SignalWatch | None]:
    """Watch while a command line is run that keeps checkpoints or may have ranks; None for any other."""
    keeps = any(word == "--checkpoint" or word.startswith("--checkpoint=") for word in words)
    if not (keeps or may_have_ranks()) or threading.current_thread() is not threading.main_thread():
        yield None
        return
    watch = SignalWatch(keeps)
    try:
        yield watch
    finally:
        watch.close()


DONE = 0
BUG = 1
BAD_INPUT = 2
STOPPED = 75  # by SIGTERM or SIGUSR1, with a checkpoint: run again with --resume
INTERRUPTED = 130
BROKEN_PIPE = 141


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

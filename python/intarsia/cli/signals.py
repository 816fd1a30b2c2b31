"""SIGTERM and SIGUSR1, Slurm's warnings: write a checkpoint and leave, whatever the search is busy with.

Under several ranks Ctrl-C does the same: there the ranks would not end together with a best so far.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

from intarsia.cli.exit_codes import BUG, STOPPED
from intarsia.launch import launched_rank, may_have_ranks

_OTHERS_WAIT = 60.0  # seconds: the first rank writes, and its end takes the others with it
_ANOTHER_RANK = 0  # in the pipe, where others put the numbers of signals

Save = Callable[[], bool]
PassOn = Callable[[], None]


class SignalWatch:
    """A thread that hears of signals at once, also while the main thread is deep inside a kernel.

    Attributes
    ----------
    save : callable or None
        Writes a checkpoint and says whether there was anything to write; None while there cannot be.
    pass_on : callable or None
        On the other ranks, tells the first one of a signal that only this one may have heard; called in the
        main thread. None until the ranks have met: nothing is lost then, and each ends by itself.
    """

    def __init__(self) -> None:
        self.save: Save | None = None
        self.pass_on: PassOn | None = None
        self._ears, self._mouth = os.pipe()
        os.set_blocking(self._mouth, False)
        self._old_mouth = signal.set_wakeup_fd(self._mouth, warn_on_full_buffer=False)
        watched = (signal.SIGTERM, signal.SIGUSR1, *((signal.SIGINT,) if may_have_ranks() else ()))
        # Python writes the number to the pipe before it calls the handler
        self._old = {number: signal.signal(number, self._handle) for number in watched}
        threading.Thread(target=self._listen, name="signals", daemon=True).start()

    def close(self) -> None:
        """Leave signals to whoever had them before."""
        signal.set_wakeup_fd(self._old_mouth)
        for number, handler in self._old.items():
            signal.signal(number, handler)
        os.close(self._mouth)  # the thread reads the end of the pipe

    def stop(self) -> None:
        """Act as if a signal had come, since another rank got one."""
        os.write(self._mouth, bytes([_ANOTHER_RANK]))

    def _handle(self, number: int, frame: FrameType | None) -> None:
        # the thread answers; this only keeps the signal from ending the process
        if self.pass_on is not None and launched_rank() > 0:
            self.pass_on()

    def _listen(self) -> None:
        while heard := os.read(self._ears, 64):
            for number in heard:
                if number == _ANOTHER_RANK:
                    self._leave("a signal to another rank")
                elif number in self._old:
                    self._leave(signal.Signals(number).name)
        os.close(self._ears)

    def _leave(self, cause: str) -> None:
        if launched_rank() > 0:
            time.sleep(1.0 if self.pass_on is None else _OTHERS_WAIT)
            os._exit(STOPPED)
        code, what = self._save()
        sys.stderr.write(f"intarsia: stopped by {cause}, {what}\n")
        sys.stderr.flush()
        os._exit(code)

    def _save(self) -> tuple[int, str]:
        try:
            saved = self.save is not None and self.save()
        except Exception as error:  # whatever went wrong, the process has to end
            return BUG, f"but no checkpoint could be written: {error}"
        if not saved:
            return STOPPED, "nothing done yet; run again with --resume"
        return STOPPED, "checkpoint written; run again with --resume"


@contextmanager
def watching_signals(words: Sequence[str]) -> Iterator[SignalWatch | None]:
    """Watch while a command line that keeps checkpoints is run; None for any other."""
    keeps = any(word == "--checkpoint" or word.startswith("--checkpoint=") for word in words)
    if not keeps or threading.current_thread() is not threading.main_thread():
        yield None
        return
    watch = SignalWatch()
    try:
        yield watch
    finally:
        watch.close()

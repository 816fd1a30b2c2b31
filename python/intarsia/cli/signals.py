"""SIGTERM and SIGUSR1, Slurm's warnings: write a checkpoint and leave, whatever the search is busy with."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType

from intarsia.cli.exit_codes import BUG, STOPPED
from intarsia.executor.launch import launched_rank

WATCHED = (signal.SIGTERM, signal.SIGUSR1)
_OTHERS_WAIT = 60.0  # seconds: the first rank writes, and its end takes the others with it

Save = Callable[[], None]


class SignalWatch:
    """A thread that hears of signals at once, also while the main thread is deep inside a kernel."""

    def __init__(self) -> None:
        self.save: Save | None = None
        self._ears, mouth = os.pipe()
        os.set_blocking(mouth, False)
        signal.set_wakeup_fd(mouth, warn_on_full_buffer=False)
        for number in WATCHED:
            signal.signal(number, _nothing)  # Python then writes the number to the pipe
        threading.Thread(target=self._listen, name="signals", daemon=True).start()

    def _listen(self) -> None:
        while heard := os.read(self._ears, 64):
            for number in heard:
                if number in WATCHED:
                    self._leave(signal.Signals(number))

    def _leave(self, number: signal.Signals) -> None:
        if launched_rank() > 0:
            time.sleep(_OTHERS_WAIT)
        code, what = self._save()
        if launched_rank() == 0:
            sys.stderr.write(f"intarsia: stopped by {number.name}, {what}\n")
            sys.stderr.flush()
        os._exit(code)

    def _save(self) -> tuple[int, str]:
        if self.save is None or launched_rank() > 0:
            return STOPPED, "nothing to keep yet; run again with --resume"
        try:
            self.save()
        except Exception as error:  # whatever went wrong, the process has to end
            return BUG, f"but no checkpoint could be written: {error}"
        return STOPPED, "checkpoint written; run again with --resume"


def _nothing(number: int, frame: FrameType | None) -> None:
    """Signals are answered by the thread; this only keeps them from ending the process."""

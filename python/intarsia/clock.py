"""The one stop watch: wall and CPU seconds since it was made, and whether a time limit has passed."""

from __future__ import annotations

import time


class Clock:
    """Seconds since it was made.

    Parameters
    ----------
    time_limit : float, optional
        Wall seconds after which it `is_over`.
    gone : float
        Seconds of the limit that went before: into reading the data, say.
    """

    def __init__(self, time_limit: float | None = None, gone: float = 0.0) -> None:
        self._start, self._cpu = time.perf_counter(), time.process_time()
        self._limit = None if time_limit is None else time_limit - gone
        self._pace = 0.0  # seconds for a unit of work
        self.stopped_something = False
        self.doing = ""  # what the time goes into, for whoever watches

    def go_on_from(self, seconds: float, stopped_something: bool) -> None:
        """Count what an earlier run has spent, as if it had been this one."""
        self._start -= seconds
        self.stopped_something |= stopped_something

    def seconds(self) -> float:
        """Wall seconds so far."""
        return time.perf_counter() - self._start

    def cpu_seconds(self) -> float:
        """CPU seconds of this process so far, of all threads together."""
        return time.process_time() - self._cpu

    def remaining(self) -> float:
        """Wall seconds left; infinite without a limit."""
        return float("inf") if self._limit is None else max(0.0, self._limit - self.seconds())

    def note_pace(self, seconds: float, work: float) -> None:
        """Remember how long some work took that cannot be broken off."""
        self._pace = seconds / work if work > 0 else 0.0

    def has_time_for(self, work: float) -> bool:
        """Whether work that cannot be broken off would end in time at the pace seen last; else it is over."""
        if self._pace * work > self.remaining():
            self._limit = 0.0
        return not self.is_over()

    def is_over(self) -> bool:
        """Whether the limit has passed; remembered, since such a result does not repeat."""
        over = self.remaining() <= 0.0
        self.stopped_something |= over
        return over

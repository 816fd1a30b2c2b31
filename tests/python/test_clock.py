"""The stop watch: limits, what an earlier run spent, work that would not end in time."""

from __future__ import annotations

import pytest

from intarsia import clock as clock_module
from intarsia.clock import Clock


@pytest.fixture
def at(monkeypatch):
    """Set the seconds that the clock reads."""
    now = [100.0]
    monkeypatch.setattr(clock_module.time, "perf_counter", lambda: now[0])
    return lambda seconds: now.__setitem__(0, 100.0 + seconds)


def test_a_limit_passes_and_is_remembered(at):
    clock = Clock(5.0)
    at(4.5)
    assert (clock.remaining(), clock.is_over(), clock.stopped_something) == (0.5, False, False)
    at(5.0)
    assert (clock.remaining(), clock.is_over(), clock.stopped_something) == (0.0, True, True)


def test_seconds_of_an_earlier_run_count(at):
    clock = Clock(5.0)
    clock.go_on_from(4.0, stopped_something=False)
    at(0.5)
    assert (clock.seconds(), clock.remaining()) == (4.5, 0.5)


def test_work_that_would_end_too_late_is_not_begun(at):
    clock = Clock(10.0)
    assert clock.has_time_for(1e9)  # nothing is known yet
    at(2.0)
    clock.note_pace(2.0, work=100.0)
    assert clock.has_time_for(400.0)
    assert not clock.stopped_something
    at(3.0)
    assert not clock.has_time_for(400.0)
    assert clock.is_over()  # rather than many small steps in what is left
    assert clock.stopped_something


def test_without_a_limit_there_is_time_for_everything(at):
    clock = Clock()
    clock.note_pace(1e9, work=1.0)
    assert clock.has_time_for(1e9)
    assert not clock.stopped_something


def test_what_went_before_is_gone_from_the_limit(at):
    clock = Clock(5.0, gone=4.0)
    at(0.5)
    assert (clock.seconds(), clock.remaining()) == (0.5, 0.5)
    assert Clock(5.0, gone=9.0).is_over()
    assert not Clock(gone=9.0).is_over()

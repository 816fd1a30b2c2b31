"""Ctrl-C and tasks that nobody waits for end the work of a foreign library early."""

from __future__ import annotations

import signal
import threading
import time

import numpy as np
import pytest

from intarsia._core import ColumnPool
from intarsia.examce.cover.model import solve_mip
from intarsia.examce.cover.problem import CountRange
from intarsia.executor import SerialExecutor, ThreadExecutor, run_cancellable

LONG = 120.0  # seconds: as long as this takes what is not cancelled


@pytest.fixture(autouse=True)
def hear_interrupts():
    """Python ignores Ctrl-C in a job that a shell started in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


class Sleeper:
    """Work that sleeps until it is told to stop."""

    def __init__(self):
        self.began, self.told = threading.Event(), threading.Event()

    def run(self):
        self.began.set()
        return "told" if self.told.wait(LONG) else "slept"


def press_once(began, after=0.0):
    """Press Ctrl-C, some seconds after something has begun."""

    def press():
        if began.wait(LONG):
            time.sleep(after)
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    threading.Thread(target=press).start()


def hard_pool():
    """Random columns: HiGHS needs far longer than a test for twelve that cover."""
    rng = np.random.default_rng(0)
    pool = ColumnPool(100)
    for _ in range(2000):
        members = np.sort(rng.choice(100, 12, replace=False))
        pool.add(members.astype(np.int32), float(rng.uniform(1, 2)))
    return pool


def test_results_and_errors_come_through():
    assert run_cancellable(lambda: 7, lambda: None) == 7
    with pytest.raises(ZeroDivisionError):
        run_cancellable(lambda: 1 / 0, lambda: None)


def test_ctrl_c_cancels_and_is_raised():
    sleeper = Sleeper()
    press_once(sleeper.began)
    with pytest.raises(KeyboardInterrupt):
        run_cancellable(sleeper.run, sleeper.told.set)
    assert sleeper.told.is_set()


def test_a_failing_task_cancels_the_others():
    sleepers = [Sleeper(), Sleeper()]

    def sleep_or_fail(task, shared):
        if task == 2:
            for sleeper in sleepers:
                sleeper.began.wait(LONG)
            raise RuntimeError("task two")
        # a map inside a task belongs to it
        return SerialExecutor().map(lambda s, _: run_cancellable(s.run, s.told.set), [sleepers[task]], shared)

    with pytest.raises(RuntimeError, match="task two"):
        ThreadExecutor(3).map(sleep_or_fail, range(3), None)
    assert all(sleeper.told.is_set() for sleeper in sleepers)


@pytest.mark.parametrize("executor", [SerialExecutor(), ThreadExecutor(2)])
def test_highs_lets_itself_be_interrupted(executor):
    pool, began = hard_pool(), threading.Event()

    def solve(task, shared):
        began.set()
        return solve_mip(pool, CountRange(12, 12), equality=False, time_limit=LONG)

    press_once(began, after=1.0)  # HiGHS is at work by then
    start = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        executor.map(solve, range(2), None)
    assert time.perf_counter() - start < LONG / 2

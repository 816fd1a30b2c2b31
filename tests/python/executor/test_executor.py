"""Executors: results in task order, failures raised, nothing started after one."""

import signal
import threading
import time

import numpy as np
import pytest

from intarsia.executor import SerialExecutor, ThreadExecutor, make_executor, resolve_threads


def scaled(task, shared):
    return task * shared


@pytest.mark.parametrize("executor", [SerialExecutor(), ThreadExecutor(3)])
def test_results_come_in_task_order(executor):
    seen = []
    assert executor.map(scaled, range(50), 2, on_done=seen.append) == [2 * t for t in range(50)]
    assert seen == list(range(1, 51))


@pytest.mark.parametrize("executor", [SerialExecutor(), ThreadExecutor(2)])
def test_a_failing_task_is_raised_and_ends_the_rest(executor):
    started = []
    lock = threading.Lock()

    def fails_at_three(task, shared):
        with lock:
            started.append(task)
        time.sleep(0.001)
        if task == 3:
            raise RuntimeError("task three")
        return task

    with pytest.raises(RuntimeError, match="task three"):
        executor.map(fails_at_three, range(1000), None)
    assert len(started) < 1000


# Python drops an interrupt that falls into a destructor, and says so; the next press is heard
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_however_often_ctrl_c_is_pressed_no_thread_is_left_at_work():
    heard, ended = threading.Semaphore(0), []
    at_work, presses_are_over = threading.Barrier(3), threading.Event()

    def hear(number, frame):
        heard.release()
        raise KeyboardInterrupt

    def slow(task, shared):
        at_work.wait(60)
        presses_are_over.wait(60)
        ended.append(task)

    def press():
        at_work.wait(60)
        for _ in range(3):
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
            heard.acquire(timeout=60)
            time.sleep(0.05)  # the main thread is waiting again
        presses_are_over.set()

    before = signal.signal(signal.SIGINT, hear)
    try:
        threading.Thread(target=press).start()
        with pytest.raises(KeyboardInterrupt):
            ThreadExecutor(2).map(slow, range(20), None)
    finally:
        signal.signal(signal.SIGINT, before)
    assert sorted(ended) == [0, 1]


def test_no_tasks():
    assert ThreadExecutor(2).map(scaled, [], None) == []


def test_threads_are_resolved(monkeypatch):
    assert resolve_threads(3) == 3
    monkeypatch.setenv("OMP_NUM_THREADS", "5")
    assert resolve_threads(None) == 5
    monkeypatch.setenv("SLURM_CPUS_PER_TASK", "2")
    assert resolve_threads(None) == 2
    assert make_executor(None).n_workers == 2
    with pytest.raises(ValueError, match="n_threads=0"):
        resolve_threads(0)
    with pytest.raises(TypeError, match="n_threads"):
        resolve_threads(1.5)


def test_threads_may_be_a_numpy_number():
    assert resolve_threads(np.int64(3)) == 3

"""Whoever waits can see what a fit is doing."""

from __future__ import annotations

import re
import threading

import numpy as np
import pytest

from intarsia import Examce
from intarsia.examce import progress
from intarsia.examce.progress import describe
from intarsia.executor import SerialExecutor

X = np.random.default_rng(0).normal(size=(300, 2))


def started(**options):
    return Examce(6, random_state=0, **options).start_state(X, None, SerialExecutor())


def test_stage_steps_cost_and_pace_are_told(monkeypatch):
    state = started()
    monkeypatch.setattr(state.clock, "seconds", lambda: 10.0)
    state.enter("base runs", 0, 8)
    monkeypatch.setattr(state.clock, "seconds", lambda: 30.0)
    state.tell("base runs", 4, 8)
    assert describe(state) == "base runs 4 of 8, about 20 s left in this stage"
    state.clock.doing = "a cover"
    state.enter("search", 3)
    assert describe(state) == "search 3, a cover"


def test_a_time_limit_says_what_is_left_at_most(monkeypatch):
    state = started(time_limit=60)
    monkeypatch.setattr(state.clock, "seconds", lambda: 45.0)
    state.tell("search", 2)
    assert describe(state) == "search 2, at most 15 s left"


def test_a_running_fit_can_be_asked_from_another_thread():
    told = []
    model = Examce(6, random_state=0, n_threads=1, effort="fast")

    def ask():
        told.append(model.progress())

    def callback(*_):
        thread = threading.Thread(target=ask)
        thread.start()
        thread.join()

    assert model.progress() == ""
    model.set_params(callback=callback).fit(X)
    assert told
    assert all(re.match(r"search \d+, .*best [\d.]+", line) for line in told)
    assert model.progress() == ""


@pytest.mark.parametrize("verbose", [0, 1])
def test_verbose_prints_what_is_going_on(verbose, capsys, monkeypatch):
    printed = threading.Event()
    monkeypatch.setattr(progress, "_EVERY", 0.001)
    monkeypatch.setattr(progress, "describe", lambda _: printed.set() or "search 1")

    def wait(*_):
        assert not verbose or printed.wait(60)

    Examce(6, random_state=0, n_threads=1, effort="fast", verbose=verbose, callback=wait).fit(X)
    lines = capsys.readouterr().out.splitlines()
    assert bool(lines) == bool(verbose)
    assert all(re.fullmatch(r"\[intarsia +[\d.]+ s\] search 1", line) for line in lines)

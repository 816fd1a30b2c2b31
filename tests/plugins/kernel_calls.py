"""A pytest plugin: the run fails unless its tests have called every function of the compiled module.

Used by `scripts/test --sanitize` (`-p kernel_calls`): a sanitizer sees only what is called.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from types import ModuleType, WrapperDescriptorType
from typing import Any

import pytest

from intarsia import _core


class KernelCalls:
    """Wraps the functions of a module, and the methods of its classes, and notes who was called."""

    def __init__(self, module: ModuleType) -> None:
        self.waiting: set[str] = set()
        for owner, name in list(_kernels(module)):
            label = name if owner is module else f"{owner.__name__}.{name}"
            self.waiting.add(label)
            setattr(owner, name, self._noting(label, getattr(owner, name)))

    def _noting(self, label: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            self.waiting.discard(label)
            return function(*args, **kwargs)

        return call

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.waiting and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self.waiting:
            names = ", ".join(sorted(self.waiting))
            terminalreporter.write_line(f"FAILED: no test called these functions of _core: {names}")
        else:
            terminalreporter.write_line("every function of _core was called")


def _kernels(module: ModuleType) -> Iterator[tuple[Any, str]]:
    for name, thing in vars(module).items():
        if name.startswith("_"):
            continue
        if not isinstance(thing, type):
            if callable(thing):
                yield module, name
        elif not hasattr(thing, "__members__"):  # an enumeration computes nothing
            yield from ((thing, key) for key, value in vars(thing).items() if _is_kernel(key, value))


def _is_kernel(name: str, value: Any) -> bool:
    if name == "__init__":
        return not isinstance(value, WrapperDescriptorType)  # that one refuses: the class has no constructor
    return callable(value) and not name.startswith("_")


def pytest_configure(config: pytest.Config) -> None:
    """Begin to take notes before any test is imported."""
    config.pluginmanager.register(KernelCalls(_core), "kernel_calls_notes")

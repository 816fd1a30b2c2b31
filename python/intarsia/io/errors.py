"""The one exception of this package's readers, and helpers that keep its message to one line."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType


class DataError(ValueError):
    """A data file or data name that cannot be used; the message is one line."""


def one_line(error: BaseException) -> str:
    """Return the first line of an exception's message, without a final full stop."""
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(". ") if lines else type(error).__name__


def unreadable(path: Path, kind: str, error: BaseException) -> DataError:
    """Return the error for a file that is damaged or is not of the kind its suffix says."""
    return DataError(f"{path}: not a readable {kind} file ({one_line(error)}).")


def require(module: str, kind: str) -> ModuleType:
    """Import an optional module, or say in one line how to get it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        message = f"reading {kind} needs {package}: pip install intarsia[io]"
        raise DataError(message) from None

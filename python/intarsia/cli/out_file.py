"""Output files and folders of commands, checked before any work is done."""

from __future__ import annotations

import tempfile
from pathlib import Path


def check_out_file(out: Path | None) -> None:
    """Refuse a file name that is a folder or lies in none."""
    if out is None:
        return
    if out.is_dir():
        raise IsADirectoryError(21, "needs to be a file, but is a folder", str(out))
    if not out.resolve().parent.is_dir():
        raise FileNotFoundError(2, "its folder does not exist", str(out))
    check_writable(out.parent)


def check_out_dir(out: Path | None) -> None:
    """Refuse an impossible output folder before any work is done."""
    if out is None:
        return
    if out.exists() and not out.is_dir():
        raise NotADirectoryError(20, "needs to be a folder, but is a file", str(out))
    for parent in out.resolve().parents:
        if parent.exists() and not parent.is_dir():
            raise NotADirectoryError(20, "needs to be a folder, but is a file", str(parent))
    check_writable(out)


def check_writable(folder: Path) -> None:
    """Refuse a folder in which nothing can be written, or made if it is not there; no trace is left."""
    place = folder.resolve()
    while not place.exists():
        place = place.parent
    try:
        with tempfile.TemporaryFile(dir=place):
            pass
    except OSError as error:
        raise OSError(error.errno, f"cannot be written ({error.strerror})", str(folder)) from None

"""Output files of commands, checked before any work is done."""

from __future__ import annotations

from pathlib import Path


def check_out_file(out: Path | None) -> None:
    """Refuse a file name that is a folder or lies in none."""
    if out is None:
        return
    if out.is_dir():
        raise IsADirectoryError(21, "needs to be a file, but is a folder", str(out))
    if not out.resolve().parent.is_dir():
        raise FileNotFoundError(2, "its folder does not exist", str(out))

"""Lines of plain or gzipped UTF-8 text, with every way that reading them can fail named."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from intarsia.io.errors import DataError, unreadable


@contextmanager
def open_text(path: Path) -> Iterator[TextIO]:
    """Open a text file, decompressing `.gz`; failures while it is read become `DataError`."""
    try:
        with _open(path) as stream:
            yield stream
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise unreadable(path, "gzip", error) from None
    except UnicodeDecodeError:
        raise DataError(f"{path}: not UTF-8 text.") from None


def _open(path: Path) -> TextIO:
    # utf-8-sig drops the byte order mark that spreadsheets write
    if path.suffix.lower() == ".gz":
        return gzip.open(path, "rt", encoding="utf-8-sig")
    return open(path, encoding="utf-8-sig")


def is_content(line: str) -> bool:
    """Tell whether a line holds data: it is neither blank nor a `#` comment."""
    stripped = line.lstrip()
    return bool(stripped) and not stripped.startswith("#")


def content_lines(stream: TextIO) -> Iterator[tuple[int, str]]:
    """Yield (line number from 1, text) of the lines that hold data."""
    return ((number, line) for number, line in enumerate(stream, 1) if is_content(line))

"""Results on disk: written to a temporary file and renamed, so a reader never sees half of one."""

from __future__ import annotations

import csv
import json
import math
import os
import secrets
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, TextIO

import numpy as np
from numpy.typing import ArrayLike

AnyPath = str | os.PathLike[str]

_ASIDE = "new"  # a folder for files that take their places together
_TOKEN = "[0-9a-f]" * 12


@contextmanager
def atomic_write(path: AnyPath) -> Iterator[TextIO]:
    """Open a text file that takes the place of `path` only when the block ends without an error."""
    if _is_stream(path):
        with open(path, "w", encoding="utf-8", newline="") as stream:
            yield stream
        return
    with _replacing(path) as temporary, open(temporary, "x", encoding="utf-8", newline="") as stream:
        yield stream
        _to_disk(stream)


@contextmanager
def atomic_write_bytes(path: AnyPath) -> Iterator[BinaryIO]:
    """Open a binary file that takes the place of `path` only when the block ends without an error."""
    if _is_stream(path):
        with open(path, "wb") as stream:
            yield stream
        return
    with _replacing(path) as temporary, open(temporary, "xb") as stream:
        yield stream
        _to_disk(stream)


def _is_stream(path: AnyPath) -> bool:
    """Whether this is a device or a pipe, such as /dev/null: a file in its place would be its end."""
    target = Path(path)
    return target.exists() and not target.is_file() and not target.is_dir()


@contextmanager
def _replacing(path: AnyPath) -> Iterator[Path]:
    target = Path(os.path.realpath(path))  # behind a link, so that the link stays
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(6)}.tmp")
    try:
        yield temporary
        os.replace(temporary, target)
        _sync_folder(target.parent)
    except OSError as error:  # a full disk names no file at all, the others a name that nobody knows
        _remove(temporary)
        if error.errno is None:  # not the system's: pyarrow says in words what is wrong
            raise
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error
    except BaseException:
        _remove(temporary)
        raise


def _remove(temporary: Path) -> None:
    with suppress(OSError):  # its folder may be gone too
        temporary.unlink()


def _to_disk(stream: TextIO | BinaryIO) -> None:
    stream.flush()
    os.fsync(stream.fileno())  # else a crash could leave the new name on an empty file


def _sync_folder(folder: Path) -> None:
    # the new name itself must survive a crash too
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def remove_leftovers(folder: Path, names: str) -> None:
    """Remove what writers that were killed left of files with such names; nobody may be writing there."""
    for path in folder.glob(f".{names}.{_TOKEN}.tmp"):
        path.unlink(missing_ok=True)


def write_together(folder: Path, writers: Mapping[str, Callable[[Path], None]]) -> None:
    """Write files of one folder; the last of them is there only beside all the others of its own making.

    All are written aside first. Then the old last file goes, the others take their places, and the new last
    one comes: who is killed in between leaves a folder without it, never one with files of two makings.
    """
    _remove_aside(folder)
    aside = folder / f".{_ASIDE}.{secrets.token_hex(6)}.tmp"
    names = list(writers)
    try:
        aside.mkdir(parents=True)
        for name, write in writers.items():
            write(aside / name)
        (folder / names[-1]).unlink(missing_ok=True)
        _sync_folder(folder)
        for name in names:
            os.replace(aside / name, folder / name)
            _sync_folder(folder)
    except OSError as error:
        if error.errno is None or error.filename is None:
            raise
        raise OSError(error.errno, error.strerror, str(folder / Path(error.filename).name)) from error
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _remove_aside(folder: Path) -> None:
    for left in folder.glob(f".{_ASIDE}.{_TOKEN}.tmp"):  # of writers that were killed
        shutil.rmtree(left, ignore_errors=True)


def write_labels(path: AnyPath, labels: ArrayLike) -> None:
    """Write one label per line under the header `label`; "-" is standard output."""
    text = _labels_text(labels)
    if os.fspath(path) == "-":
        sys.stdout.write(text)
        return
    with atomic_write(path) as stream:
        stream.write(text)


def _labels_text(labels: ArrayLike) -> str:
    array = np.asarray(labels)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise ValueError(f"labels of shape {array.shape} and type {array.dtype} should be 1-D integers.")
    return "\n".join(["label", *map(str, array.tolist()), ""])


def write_centers(path: AnyPath, centers: ArrayLike, feature_names: Sequence[str] | None = None) -> None:
    """Write one centre per line, with digits enough to read back the same numbers."""
    array = np.asarray(centers)
    if array.ndim != 2 or array.dtype.kind not in "fiu":
        raise ValueError(f"centers of shape {array.shape} and type {array.dtype} should be 2-D numbers.")
    names = [f"f{j}" for j in range(array.shape[1])] if feature_names is None else list(feature_names)
    if len(names) != array.shape[1]:
        raise ValueError(f"{len(names)} feature_names should be one for each of {array.shape[1]} columns.")
    with atomic_write(path) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(array.astype(float).tolist())  # the csv module writes a float by repr


def write_json(path: AnyPath, obj: Any) -> None:
    """Write JSON; NumPy values become plain ones, NaN and infinity become null."""
    text = json.dumps(to_json(obj), indent=2, allow_nan=False, ensure_ascii=False)
    with atomic_write(path) as stream:
        stream.write(text + "\n")


def to_json(obj: Any) -> Any:
    """Return the same value in types that JSON has."""
    if isinstance(obj, np.ndarray | np.generic):
        return to_json(obj.tolist())
    if isinstance(obj, float):
        return obj if math.isfinite(obj) else None
    if isinstance(obj, Mapping):
        return {str(key): to_json(value) for key, value in obj.items()}
    if isinstance(obj, list | tuple | set | frozenset):
        return [to_json(value) for value in (sorted(obj) if isinstance(obj, set | frozenset) else obj)]
    return os.fspath(obj) if isinstance(obj, os.PathLike) else obj

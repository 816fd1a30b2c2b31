"""Arrays and facts in one NPZ file that knows whether it is whole: no pickle, written atomically."""

from __future__ import annotations

import hashlib
import io
import json
import os
import secrets
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Arrays = Mapping[str, NDArray[Any]]

_FACTS = "facts"
_DIGEST = "sha256"


class DamagedFileError(ValueError):
    """The file is truncated, changed, or no archive at all."""


def write_archive(path: Path, facts: Mapping[str, Any], arrays: Arrays) -> None:
    """Write JSON-able facts and arrays; the file appears under its name only when it is whole on disk."""
    everything = {**arrays, _FACTS: _packed(facts)}
    stream = io.BytesIO()
    np.savez(stream, allow_pickle=False, **everything, **{_DIGEST: _digest(everything)})
    _write_bytes(path, stream.getbuffer())


def read_archive(path: Path) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return facts and arrays, or raise DamagedFileError; a missing file is an OSError."""
    content = path.read_bytes()
    try:
        arrays = _unpack(content)
        digest = arrays.pop(_DIGEST)
        whole = np.array_equal(digest, _digest(arrays))
        facts = json.loads(arrays.pop(_FACTS).tobytes()) if whole else None
    except Exception as error:  # whatever a flipped or missing byte can make zipfile, lzma or NumPy say
        raise DamagedFileError(f"{path} is damaged.") from error
    if not isinstance(facts, dict):
        raise DamagedFileError(f"{path} is damaged.")
    return facts, arrays


def _unpack(content: bytes) -> dict[str, NDArray[Any]]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if any(member.compress_type != zipfile.ZIP_STORED for member in archive.infolist()):
            raise ValueError("a member is compressed, which we never do")
        if archive.testzip() is not None:  # checked before NumPy believes a header
            raise ValueError("a member fails its checksum")
    with np.load(io.BytesIO(content), allow_pickle=False) as members:
        return {name: members[name] for name in members.files}


def _packed(facts: Mapping[str, Any]) -> NDArray[np.uint8]:
    return np.frombuffer(json.dumps(facts, sort_keys=True).encode(), dtype=np.uint8)


def _digest(arrays: Arrays) -> NDArray[np.uint8]:
    sha = hashlib.sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        sha.update(f"{name} {array.dtype.str} {array.shape};".encode())
        sha.update(array.tobytes())
    return np.frombuffer(sha.digest(), dtype=np.uint8)


def _write_bytes(path: Path, content: memoryview) -> None:
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}.tmp")
    try:
        with open(temporary, "xb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, path)
        _sync_folder(path.parent)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def remove_leftovers(folder: Path, names: str) -> None:
    """Remove what writers that were killed left of files with such names; nobody may be writing there."""
    for path in folder.glob(f".{names}.{'[0-9a-f]' * 12}.tmp"):
        path.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    # The new name itself must survive a crash too.
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

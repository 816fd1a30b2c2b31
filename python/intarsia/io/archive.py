"""NPZ files, never pickle: named arrays, archives that know if they are whole, and models in them."""

from __future__ import annotations

import hashlib
import io
import json
import lzma
import os
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from intarsia.io.points import DataError, refuse_url, unreadable
from intarsia.io.writers import atomic_write_bytes

Arrays = Mapping[str, NDArray[Any]]

_FACTS = "facts"
_DIGEST = "sha256"
_DAMAGE = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, ValueError, EOFError, MemoryError,
    NotImplementedError, KeyError,
)  # fmt: skip


class NamedArrays(Mapping[str, NDArray[Any]]):
    """The arrays of an open NPZ file, each read when it is asked for."""

    def __init__(self, zipped: zipfile.ZipFile) -> None:
        self._zipped = zipped
        names = [name for name in zipped.namelist() if name.endswith(".npy")]
        self._members = {name.removesuffix(".npy"): name for name in names}

    def __getitem__(self, name: str) -> NDArray[Any]:
        with self._zipped.open(self._members[name]) as stream:
            # object arrays are refused: reading them would run pickled code
            return np.lib.format.read_array(stream, allow_pickle=False)

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)


@contextmanager
def open_npz(path: Path) -> Iterator[NamedArrays]:
    """Open an NPZ file; damage that shows while it is read is a DataError."""
    try:
        with zipfile.ZipFile(path) as zipped:
            yield NamedArrays(zipped)
    except DataError:
        raise
    except _DAMAGE as error:
        raise unreadable(path, "NPZ", error) from None


class DamagedFileError(ValueError):
    """The file is truncated, changed, or no archive at all."""


def write_archive(path: Path, facts: Mapping[str, Any], arrays: Arrays) -> None:
    """Write JSON-able facts and arrays; the file appears under its name only when it is whole on disk."""
    everything = {**arrays, _FACTS: _packed(facts)}
    with atomic_write_bytes(path) as stream:
        np.savez(stream, allow_pickle=False, **everything, **{_DIGEST: _digest(everything)})


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
    with zipfile.ZipFile(io.BytesIO(content)) as zipped:
        if any(member.compress_type != zipfile.ZIP_STORED for member in zipped.infolist()):
            raise ValueError("a member is compressed, which we never do")
        if zipped.testzip() is not None:  # checked before NumPy believes a header
            raise ValueError("a member fails its checksum")
        return dict(NamedArrays(zipped))


def _packed(facts: Mapping[str, Any]) -> NDArray[np.uint8]:
    return np.frombuffer(json.dumps(facts, sort_keys=True).encode(), dtype=np.uint8)


def _digest(arrays: Arrays) -> NDArray[np.uint8]:
    sha = hashlib.sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        sha.update(f"{name} {array.dtype.str} {array.shape};".encode())
        sha.update(array.tobytes())
    return np.frombuffer(sha.digest(), dtype=np.uint8)


FORMAT = "intarsia model 1"
MODEL_FILE = "model.npz"
_RESULT_FILE = "result.json"  # of every command that writes a folder


@dataclass(frozen=True, eq=False)
class Scaling:
    """How features were scaled: "standard" by mean and spread, "minmax" to between 0 and 1."""

    kind: str
    shift: NDArray[np.float64]
    factor: NDArray[np.float64]

    def apply(self, X: NDArray[Any]) -> NDArray[Any]:
        """Scale points as those were scaled that the model was fitted to, bit for bit."""
        scaled = X.copy()
        if self.kind == "standard":
            scaled -= self.shift
            scaled /= self.factor
        else:
            scaled *= self.factor
            scaled += self.shift
        return scaled


@dataclass(frozen=True, eq=False)
class Model:
    """Clusters and the rule by which a new point belongs to one of them.

    Attributes
    ----------
    rule : str
        The criterion whose nearest centre it is, such as "mssc"; "" where none was kept.
    centers : float64 array of shape (n_clusters, n_features)
        In the scaled space, if there is a scaling.
    feature_names : tuple of str
        Names of the columns; empty where they have none.
    facts : mapping
        Whatever else JSON can hold.
    """

    rule: str
    centers: NDArray[np.float64]
    feature_names: tuple[str, ...] = ()
    scaling: Scaling | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)


def write_model(path: str | os.PathLike[str], model: Model) -> None:
    """Write a model; it appears under its name only when it is whole."""
    scaling = model.scaling
    arrays = {f"own_{name}": array for name, array in model.arrays.items()}
    arrays["centers"] = np.asarray(model.centers, dtype=np.float64)
    if scaling is not None:
        arrays |= {"shift": scaling.shift, "factor": scaling.factor}
    facts = {
        "format": FORMAT,
        "rule": model.rule,
        "feature_names": list(model.feature_names),
        "scaling": None if scaling is None else scaling.kind,
        "facts": dict(model.facts),
    }
    write_archive(Path(path), facts, arrays)


def read_model(path: str | os.PathLike[str]) -> Model:
    """Read a model from its file, or from the folder of a result."""
    found = Path(path)
    if found.is_dir():
        if (found / _RESULT_FILE).exists() and not (found / MODEL_FILE).exists():
            raise DataError(
                f"{found}: a result without {MODEL_FILE}: its method has no centres for new points."
            )
        found = found / MODEL_FILE
    refuse_url(found)
    if not found.is_file():
        raise DataError(f"{found}: no such file; needs the {MODEL_FILE} that fit --out and save write.")
    try:
        facts, arrays = read_archive(found)
    except DamagedFileError:
        raise DataError(f"{found}: is damaged, or no model that fit --out or save wrote.") from None
    if facts.get("format") != FORMAT:
        raise DataError(f"{found}: holds {facts.get('format', 'something else')!r}, needs {FORMAT!r}.")
    kind = facts["scaling"]
    scaling = None if kind is None else Scaling(kind, arrays["shift"], arrays["factor"])
    own = {name.removeprefix("own_"): array for name, array in arrays.items() if name.startswith("own_")}
    return Model(
        facts["rule"], arrays["centers"], tuple(facts["feature_names"]), scaling, facts["facts"], own
    )


def real_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return names that a file gave its columns; none where they are only f0, f1, ... or not distinct."""
    tells_nothing = list(names) == [f"f{j}" for j in range(len(names))] or len(set(names)) < len(names)
    return () if tells_nothing else tuple(names)

"""What labels new points, in one NPZ file: centres, the rule, scaling and feature names; never pickle."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from intarsia.io.archive import DamagedFileError, read_archive, write_archive
from intarsia.io.points import DataError

FORMAT = "intarsia model 1"
MODEL_FILE = "model.npz"


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
        found = found / MODEL_FILE
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
    """Return names that a file gave its columns; none where they are only numbered as f0, f1, ..."""
    return () if list(names) == [f"f{j}" for j in range(len(names))] else tuple(names)

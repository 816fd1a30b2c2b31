"""Find the file of a data set that is known by a bare name."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from intarsia.io.errors import DataError

#: Environment variable that names the folder with the data files.
DATA_VARIABLE = "INTARSIA_DATA"

_HOW = f"give --data-dir (data_dir=...) or set {DATA_VARIABLE} to the folder that holds it"


def find_data(name: str, data_dir: str | os.PathLike[str] | None = None) -> Path:
    """Return the path of `name.csv`, `name.csv.gz` or `tsplib/name.tsp` in the first data folder that has it.

    Searched are `data_dir`, the folder in the environment variable INTARSIA_DATA, and `../shared/data`
    beside the current folder and beside a source checkout.
    """
    if not name or Path(name).name != name:
        raise DataError(f"data name {name!r} should be a bare name such as 'u1060'.")
    if data_dir is not None and not Path(data_dir).is_dir():
        raise DataError(f"data folder {os.fspath(data_dir)!r} does not exist.")
    for folder in data_folders(data_dir):
        for candidate in (f"{name}.csv", f"{name}.csv.gz", f"tsplib/{name}.tsp"):
            if (folder / candidate).is_file():
                return folder / candidate
    raise DataError(f"no data named {name!r} found: {_HOW}.")


def data_folders(data_dir: str | os.PathLike[str] | None = None) -> Iterator[Path]:
    """Yield the folders to search, the most explicit first."""
    if data_dir is not None:
        yield Path(data_dir)
    if from_environment := os.environ.get(DATA_VARIABLE):
        yield Path(from_environment)
    yield Path("..", "shared", "data")
    checkout = Path(__file__).resolve().parents[3]
    if (checkout / "pyproject.toml").is_file():
        yield checkout.parent / "shared" / "data"

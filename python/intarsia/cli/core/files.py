"""The files of a command: the points it reads and how, the places it writes to, its logs."""

from __future__ import annotations

import argparse
import json
import logging
import tempfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from intarsia.cli.core.parser import Parser, existing_folder
from intarsia.launch import launched_rank, may_have_ranks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from intarsia.io import Points, ReadOptions
    from intarsia.io.archive import Scaling

STANDARD_OUTPUT = "-"
RESULT = "result.json"  # of a fit, written last
SCALES = ("none", "standard", "minmax")

_LOG_FORM = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def add_data_options(parser: Parser) -> Callable[..., Any]:
    """Add the options that say which points are read, as a group; return what adds more to it."""
    add = parser.add_argument_group("data").add_argument
    add("data", metavar="DATA", help="file (CSV, NPY, NPZ, Parquet, HDF5, TSPLIB), - or demo:NAME")
    add_reading_options(add)
    add("--scale", choices=SCALES, default="none", help="scale each feature")
    add("--data-dir", type=existing_folder, metavar="D", help="folder to look for named data sets")
    return add


def read_data(args: argparse.Namespace) -> Points:
    """Read the points that those options name; they are not scaled yet."""
    from intarsia.datasets import load

    if args.data.startswith("demo:"):
        refuse_for_demo(args)
    return load(args.data, data_dir=args.data_dir, **reading_options(args))


def left_out(facts: Mapping[str, Any]) -> list[str]:
    """Say which column of the data is no feature, and what else `notes` has to say."""
    name = facts["label_column"]
    return [*([] if name is None else [f"class column {name!r} left out"]), *facts["notes"]]


def of_all_rows(labels: NDArray[np.int32], points: Points) -> NDArray[np.int32]:
    """Return a label for each row of the file: -1 for the points that were left out."""
    if points.kept is None:
        return labels
    import numpy as np

    everyone = np.full(len(points.kept), -1, dtype=np.int32)
    everyone[points.kept] = labels
    return everyone


def cluster_sizes(labels: NDArray[np.int32]) -> dict[str, Any]:
    """Return the least, median and largest number of points among the clusters that have any."""
    import numpy as np

    sizes = np.unique(labels[labels >= 0], return_counts=True)[1]
    return {"least": int(sizes.min()), "median": float(np.median(sizes)), "largest": int(sizes.max())}


def agreement(points: Points, labels: NDArray[np.int32]) -> float | None:
    """Return the adjusted Rand index against the classes of the data; None where they have, or say, none."""
    if points.labels is None or not ((points.labels >= 0) & (labels >= 0)).any():
        return None
    from intarsia.metrics.pairs import adjusted_rand_index

    return float(adjusted_rand_index(points.labels, labels))  # where either is -1 it does not count


def sizes_text(sizes: Mapping[str, Any]) -> str:
    """Say how many points the clusters have."""
    if sizes["least"] == sizes["largest"]:
        return f"{sizes['least']:,} each"
    return f"{sizes['least']:,} to {sizes['largest']:,} points in a cluster, median {sizes['median']:,g}"


def scaling_of(kind: str, scaler: Any) -> Scaling | None:
    """Return what a fitted scaler does, in a form that can be kept in a file."""
    if scaler is None:
        return None
    from intarsia.io.archive import Scaling

    if kind == "standard":
        return Scaling(kind, scaler.mean_, scaler.scale_)
    return Scaling(kind, scaler.min_, scaler.scale_)


def fitted_scaler(kind: str, X: NDArray[Any]) -> Any:
    """Return scikit-learn's scaler for one of `SCALES`, fitted to the points; None for "none"."""
    if kind == "none":
        return None
    from sklearn.preprocessing import MinMaxScaler, StandardScaler

    return (StandardScaler() if kind == "standard" else MinMaxScaler()).fit(X)


def read_weights(
    path: Path | None, n_samples: int, kept: NDArray[np.bool_] | None = None
) -> NDArray[np.float64] | None:
    """Read one weight per point from a file of one column, for the points kept of it; None stays None."""
    if path is None:
        return None
    import numpy as np

    n_rows = n_samples if kept is None else len(kept)
    table = _weights_table(path, n_rows)
    if table.shape != (n_rows, 1):
        raise ValueError(
            f"{path}: weights need {n_rows} rows and 1 column, got {table.shape[0]} and {table.shape[1]}"
        )
    weights = np.ascontiguousarray(table[:, 0], dtype=np.float64)
    if np.any(weights < 0):
        row = int(np.argmax(weights < 0))
        raise ValueError(f"{path}: weights must be at least 0, got {weights[row]:g} for point {row}")
    weights = weights if kept is None else weights[kept]
    if not np.any(weights > 0):
        raise ValueError(f"{path}: at least one weight must be above 0")
    return weights


def _weights_table(path: Path, n_rows: int) -> NDArray[Any]:
    """Read a table; whether its first line is a weight shows in their number."""
    import warnings

    from intarsia.datasets import load
    from intarsia.io import DataWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        table = load(str(path)).X
        if len(table) == n_rows:
            return table
        for header in (True, False):
            with suppress(ValueError):
                other = load(str(path), header=header).X
                if len(other) == n_rows:
                    return other
    return table


def check_inputs(
    sources: Iterable[Path | str | None], data_dir: Path | None = None, *, named: bool = True
) -> None:
    """Refuse data that are not there, before anything that takes long to import; `named`: `load` finds them.

    Ranks leave it to the first of them, which may be the only one that sees the files.
    """
    if may_have_ranks():
        return
    for source in sources:
        if source is None or str(source) == "-" or Path(source).is_file():
            continue
        from intarsia.datasets import check_source
        from intarsia.io import DataError
        from intarsia.io.points import refuse_url

        refuse_url(source)
        if named:
            check_source(str(source), data_dir)
        elif not Path(source).exists():
            raise DataError(f"{source}: no such file.")


def check_data(args: argparse.Namespace) -> None:
    """Refuse data that are not there: the `check` of a command that has nothing else to refuse early."""
    check_inputs([args.data], args.data_dir)


def refuse_inputs(outputs: Iterable[Path | None], inputs: Iterable[Path | str | None]) -> None:
    """Refuse to write where something is read from."""
    read = [Path(path) for path in inputs if path is not None and Path(path).is_file()]
    for out in outputs:
        if out is not None and out.is_file() and any(out.samefile(path) for path in read):
            raise ValueError(f"{out}: is read by this command and would be overwritten; choose another name")


def check_out_file(out: Path | None) -> None:
    """Refuse a file name that is a folder or lies in none."""
    if out is None or str(out) == STANDARD_OUTPUT:
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
    if str(out) == STANDARD_OUTPUT:
        raise ValueError("-: needs a folder; standard output has no room for several files")
    if out.exists() and not out.is_dir():
        raise NotADirectoryError(20, "needs to be a folder, but is a file", str(out))
    for parent in out.resolve().parents:
        if parent.exists() and not parent.is_dir():
            raise NotADirectoryError(20, "needs to be a folder, but is a file", str(parent))
    check_writable(out)


def check_same_settings(out: Path | None, settings: Mapping[str, Any]) -> None:
    """Refuse a folder whose result is one of other settings: whoever wants it overwritten says --force."""
    if out is None or not (out / RESULT).exists():
        return
    other = _first_difference(out / RESULT, settings)
    if other:
        raise ValueError(f"{out}: holds {other}; choose another folder, or overwrite it by --force")


def _first_difference(result: Path, settings: Mapping[str, Any]) -> str:
    from intarsia.io import to_json

    try:
        there = json.loads(result.read_bytes())["settings"]
        there = dict(there)
    except (ValueError, TypeError, KeyError):
        return f"a {RESULT} that does not say its settings"
    now = to_json(settings)
    for name in [*now, *there]:
        if there.get(name) != now.get(name):
            return f"a result of {name} {there.get(name)}, not {now.get(name)}"
    return ""


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


def log_to(folder: Path | None, *, go_on: bool = False) -> None:
    """Write what the library logs to ``rank-NNNN.log`` in a folder, after what is there if it goes on.

    Each rank has a file of its own, so that none waits for another to write.
    """
    if folder is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    mode = "a" if go_on else "w"
    file = logging.FileHandler(folder / f"rank-{launched_rank():04d}.log", mode=mode, encoding="utf-8")
    file.setFormatter(logging.Formatter(_LOG_FORM))
    logger = logging.getLogger("intarsia")
    logger.addHandler(file)
    logger.setLevel(logging.INFO)


HEADERS = {"yes": True, "no": False, "auto": "auto"}
MISSING = ("error", "drop", "median")

_OPTIONS: dict[str, dict[str, Any]] = {
    "--label-column": {"metavar": "C", "help": "class column by name or place (0 first, -1 last), or none"},
    "--columns": {"metavar": "C,C", "help": "cluster these columns only"},
    "--drop": {"metavar": "C,C", "help": "leave these columns out"},
    "--header": {"choices": tuple(HEADERS), "help": "whether the first line names the columns (auto)"},
    "--delimiter": {"metavar": "D", "help": "between fields: a character, tab, whitespace (found out)"},
    "--decimal": {"metavar": "D", "choices": (".", ","), "help": "decimal mark, a point or a comma (.)"},
    "--key": {"metavar": "NAME", "help": "which array of an NPZ or HDF5 file"},
    "--missing": {"choices": MISSING, "help": "empty, ?, NA: refuse, drop points, put medians (error)"},
}
#: Every such option, as an attribute of the parsed arguments; None where it was not given.
NAMES = tuple(flag.removeprefix("--").replace("-", "_") for flag in _OPTIONS)


def add_reading_options(add: Callable[..., Any], *flags: str, **helps: str) -> None:
    """Add these options, or all; `helps` has other words for some."""
    for flag in flags or _OPTIONS:
        name = flag.removeprefix("--").replace("-", "_")
        details = {**_OPTIONS[flag], **({"help": helps[name]} if name in helps else {})}
        add(flag, **details)


def reading_options(args: argparse.Namespace) -> dict[str, Any]:
    """Return those that were given, in the words of `read_points`."""
    given = {name: getattr(args, name, None) for name in NAMES}
    found = {name: value for name, value in given.items() if value is not None}
    for name in ("columns", "drop"):
        if name in found:
            found[name] = [column.strip() for column in found[name].split(",") if column.strip()]
    if "header" in found:
        found["header"] = HEADERS[found["header"]]
    return found


def table_options(args: argparse.Namespace) -> ReadOptions:
    """Return the same for tables of labels."""
    from intarsia.io import ReadOptions

    return ReadOptions(**reading_options(args))


def refuse_for_demo(args: argparse.Namespace) -> None:
    """Say that options of files are of no use for built-in data."""
    for name in reading_options(args):
        flag = "--" + name.replace("_", "-")
        raise ValueError(f"{flag} is for files; {args.data} is built in and brings its own classes")

"""Results on disk: complete or not there, and read back as the same values."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from intarsia.io import atomic_write, read_points, write_centers, write_json, write_labels, write_together


def test_atomic_write_replaces(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    with atomic_write(path) as stream:
        stream.write("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def write_half(path, error):
    with atomic_write(path) as stream:
        stream.write("half")
        raise error


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_atomic_write_leaves_nothing_after_an_error(tmp_path, error):
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(error):
        write_half(path, error)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_new_file_has_ordinary_permissions(tmp_path):
    (tmp_path / "plain").touch()
    with atomic_write(tmp_path / "a.txt") as stream:
        stream.write("x")
    assert (tmp_path / "a.txt").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_pipe_is_written_into_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_labels(pipe, np.array([0, 1]))
    reader.join(timeout=60)
    assert read == ["label\n0\n1\n"]
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_link_stays_one(tmp_path):
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_text("old")
    link.symlink_to(file)
    write_labels(link, np.array([0]))
    assert link.is_symlink()
    assert file.read_text() == "label\n0\n"


def test_missing_folder_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"), atomic_write(tmp_path / "nowhere" / "a.txt"):
        pass


def test_labels(tmp_path):
    write_labels(tmp_path / "labels.csv", np.array([2, -1, 0], dtype=np.int32))
    assert (tmp_path / "labels.csv").read_text() == "label\n2\n-1\n0\n"


@pytest.mark.parametrize("labels", [[[1, 2]], [0.5], ["a"]])
def test_bad_labels(tmp_path, labels):
    with pytest.raises(ValueError, match="should be 1-D integers"):
        write_labels(tmp_path / "labels.csv", labels)
    assert not list(tmp_path.iterdir())


@given(
    centers=arrays(
        st.sampled_from([np.float32, np.float64]),
        array_shapes(min_dims=2, max_dims=2, max_side=5),
        elements=st.floats(width=32, allow_nan=False, allow_infinity=False),
    )
)
def test_centers_round_trip(tmp_path_factory, centers):
    path = tmp_path_factory.mktemp("centers") / "centers.csv"
    write_centers(path, centers)
    np.testing.assert_array_equal(read_points(path).X.astype(centers.dtype), centers)


def test_centers_keep_every_digit_and_names(tmp_path):
    write_centers(tmp_path / "c.csv", [[0.1 + 0.2, 1e-300]], ["a, b", "c"])
    assert (tmp_path / "c.csv").read_text() == '"a, b",c\n0.30000000000000004,1e-300\n'
    assert read_points(tmp_path / "c.csv").feature_names == ("a, b", "c")


def test_bad_centers(tmp_path):
    with pytest.raises(ValueError, match="should be 2-D numbers"):
        write_centers(tmp_path / "c.csv", [1.0])
    with pytest.raises(ValueError, match="1 feature_names should be one for each of 2 columns"):
        write_centers(tmp_path / "c.csv", [[1.0, 2.0]], ["a"])
    assert not list(tmp_path.iterdir())


def test_json_converts_numpy_and_non_finite_values(tmp_path):
    value = {
        "n": np.int64(3),
        "cost": np.float32(0.5),
        "gap": np.nan,
        "bound": -np.inf,
        "ok": np.bool_(True),
        "labels": np.array([1, 2]),
        "centers": np.array([[1.0, np.inf]]),
        "history": (1, {"x": None}),
        "chosen": {2, 1},
        "file": Path("a.csv"),
        4: "naïve",
    }
    write_json(tmp_path / "r.json", value)
    text = (tmp_path / "r.json").read_text(encoding="utf-8")
    assert json.loads(text, parse_constant=pytest.fail) == {
        "n": 3,
        "cost": 0.5,
        "gap": None,
        "bound": None,
        "ok": True,
        "labels": [1, 2],
        "centers": [[1.0, None]],
        "history": [1, {"x": None}],
        "chosen": [1, 2],
        "file": "a.csv",
        "4": "naïve",
    }


def test_json_that_cannot_be_written_leaves_nothing(tmp_path):
    with pytest.raises(TypeError, match="not JSON serializable"):
        write_json(tmp_path / "r.json", {"f": object()})
    assert not list(tmp_path.iterdir())


# Writes a second making over a first and is gone, as after SIGKILL, at its n-th step that changes a folder.
KILLED = """
import os, sys
from pathlib import Path
from intarsia.io import write_json, write_together

def steps_left(original):
    def step(*words, **options):
        global left
        if left == 0:
            os._exit(9)
        left -= 1
        return original(*words, **options)
    return step

def write(making):
    write_together(Path(folder), {name: lambda path: write_json(path, making) for name in ("a", "b", "last")})

for n in range(100):
    folder, left = f"{sys.argv[1]}/{n}", 1000
    if os.fork() == 0:
        os.mkdir(folder)
        write(1)
        left = n
        os.replace, os.unlink, os.mkdir = map(steps_left, (os.replace, os.unlink, os.mkdir))
        Path.unlink = lambda self, missing_ok=False: os.unlink(self)
        write(2)
        os._exit(0)
    if os.wait()[1] == 0:
        break
"""


def test_files_written_together_are_of_one_making_or_unfinished(tmp_path):
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=True, timeout=120)
    lives = sorted(tmp_path.iterdir(), key=lambda folder: int(folder.name))
    assert len(lives) > 7
    found = []
    for folder in lives:
        there = {path.name: path.read_text().strip() for path in folder.iterdir() if path.is_file()}
        found.append("unfinished" if "last" not in there else " ".join(there.get(n, "-") for n in "ab"))
        write_together(folder, {name: lambda path: write_json(path, 3) for name in ("a", "b", "last")})
        assert sorted(path.name for path in folder.iterdir()) == ["a", "b", "last"]  # no leftovers
    assert found[0] == "1 1"
    assert found[-1] == "2 2"
    assert set(found) == {"1 1", "unfinished", "2 2"}


def test_a_file_that_cannot_be_written_together_is_named(tmp_path):
    (tmp_path / "b").mkdir()
    with pytest.raises(IsADirectoryError) as failure:
        write_together(tmp_path, {"a": lambda path: path.touch(), "b": lambda path: path.touch()})
    assert failure.value.filename == str(tmp_path / "b")

"""An archive with a byte changed or missing is refused, or still says exactly what was written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from intarsia.io.archive import DamagedFileError, read_archive, write_archive

FACTS = {"name": "u1060", "cost": 96317864.46113119, "nothing": None, "history": [{"cost": 1.5}]}
ARRAYS = {
    "labels": np.arange(40, dtype=np.int32) % 7,
    "costs": np.linspace(0, 1, 11),
    "empty": np.empty((0, 5), dtype=np.int64),
    "long": np.arange(4000, dtype=np.float64),  # more than one read of zipfile
}


def same(got: tuple[dict, dict]) -> bool:
    facts, arrays = got
    return (
        facts == FACTS
        and arrays.keys() == ARRAYS.keys()
        and all(np.array_equal(arrays[n], a) and arrays[n].dtype == a.dtype for n, a in ARRAYS.items())
    )


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    path = tmp_path / "archive.npz"
    write_archive(path, FACTS, ARRAYS)
    return path


def test_what_is_written_is_read(whole: Path) -> None:
    assert same(read_archive(whole))
    with np.load(whole, allow_pickle=False) as plain:  # any NumPy can look into it
        np.testing.assert_array_equal(plain["labels"], ARRAYS["labels"])
    assert [path.name for path in whole.parent.iterdir()] == ["archive.npz"]


@given(at=st.floats(0, 1, exclude_max=True), flip=st.integers(1, 255))
@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_a_changed_byte(whole: Path, at: float, flip: int) -> None:
    content = bytearray(whole.read_bytes())
    content[int(at * len(content))] ^= flip
    damaged = whole.with_name("damaged.npz")
    damaged.write_bytes(content)
    try:
        got = read_archive(damaged)
    except DamagedFileError:
        return
    assert same(got)


def test_a_member_that_claims_to_be_compressed(whole: Path) -> None:
    content = bytearray(whole.read_bytes())
    entry = content.find(b"PK\x01\x02")
    for method in (8, 12, 14):
        content[entry + 10] = method
        whole.write_bytes(content)
        with pytest.raises(DamagedFileError):
            read_archive(whole)


@given(share=st.floats(0, 1, exclude_max=True))
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_a_truncated_file(whole: Path, share: float) -> None:
    content = whole.read_bytes()
    damaged = whole.with_name("damaged.npz")
    damaged.write_bytes(content[: int(share * len(content))])
    with pytest.raises(DamagedFileError, match=r"damaged\.npz is damaged"):
        read_archive(damaged)


def test_a_failed_write_leaves_the_old_file_and_no_other(whole: Path) -> None:
    with pytest.raises(TypeError, match="not JSON serializable"):
        write_archive(whole, {"bad": object()}, ARRAYS)
    assert same(read_archive(whole))
    assert [path.name for path in whole.parent.iterdir()] == ["archive.npz"]

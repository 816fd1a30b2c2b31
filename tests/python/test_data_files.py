"""The published data are the files that the manifest names, to the byte and as our readers see them."""

from __future__ import annotations

import csv
import hashlib
from pathlib import Path

import numpy as np
import pytest

from intarsia.io import read_points

MANIFEST = Path(__file__).parents[1] / "data" / "MANIFEST.csv"
ENTRIES = list(csv.DictReader(MANIFEST.read_text().splitlines()))
MISSING_VALUES = {"dermatology"}  # ages that were not asked: the readers refuse them


@pytest.fixture(params=ENTRIES, ids=lambda entry: entry["name"])
def entry(request):
    return request.param


@pytest.fixture
def path(entry, data_dir):
    found = data_dir / entry["file"]
    if not found.is_file():
        pytest.skip(f"{entry['file']} is not here")
    return found


def test_sha256(entry, path):
    assert hashlib.sha256(path.read_bytes()).hexdigest() == entry["sha256"]


def test_size_and_classes(entry, path):
    if entry["name"] in MISSING_VALUES:
        with pytest.raises(ValueError, match=r"line 35, column 34: missing value"):
            read_points(path)
        return
    points = read_points(path)
    assert points.X.shape == (int(entry["rows"]), int(entry["features"]))
    assert len(points.class_names) == int(entry["classes"] or 0)
    assert points.labels is None or np.all(points.labels >= 0)

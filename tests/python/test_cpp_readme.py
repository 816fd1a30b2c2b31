"""cpp/README.md lists the rooms and every file in them: it keeps the promise, and so does the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEADERS = ROOT / "cpp" / "include" / "intarsia"
SOURCES = ROOT / "cpp" / "src"
#: Each room's part of the text, in the order of the text
ROOMS = dict(re.findall(r"^### (\w+)/: ([^#]*)", (ROOT / "cpp" / "README.md").read_text("utf-8"), re.M))


def test_the_rooms_are_the_same_everywhere():
    bound = {path.stem.removeprefix("register_") for path in (ROOT / "bindings").glob("register_*.cpp")}
    tested = {path.name for path in (ROOT / "tests" / "cpp").iterdir() if path.is_dir()}
    assert {path.name for path in HEADERS.iterdir()} == set(ROOMS)
    assert {path.name for path in SOURCES.iterdir()} == set(ROOMS)
    assert bound <= set(ROOMS)
    assert tested <= set(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_every_header_and_every_source_without_one_has_its_line(room):
    headers = list((HEADERS / room).iterdir())
    known = {path.stem for path in headers}
    alone = [path for path in (SOURCES / room).iterdir() if path.stem not in known]
    assert headers
    assert [path.name for path in (*headers, *alone) if f"`{path.name}`" not in ROOMS[room]] == []


@pytest.mark.parametrize("room", ROOMS)
def test_every_file_that_has_a_line_is_there(room):
    named = set(re.findall(r"`(\w+\.(?:hpp|cpp|inl))`", ROOMS[room]))
    there = {path.name for folder in (HEADERS, SOURCES) for path in (folder / room).iterdir()}
    assert sorted(named - there) == []


@pytest.mark.parametrize("room", ROOMS)
def test_every_cpp_test_is_named_after_a_header_of_its_room(room):
    tests = {path.stem.removeprefix("test_") for path in (ROOT / "tests" / "cpp" / room).glob("*.cpp")}
    assert sorted(tests - {path.stem for path in (HEADERS / room).iterdir()}) == []


def test_a_room_uses_only_those_above_it():
    order = list(ROOMS)
    for room in order:
        files = [path for folder in (HEADERS, SOURCES) for path in (folder / room).iterdir()]
        used = {name for path in files for name in re.findall(r'"intarsia/(\w+)/', path.read_text("utf-8"))}
        assert sorted(name for name in used if order.index(name) > order.index(room)) == [], room


def test_every_kernel_of_the_module_has_its_type():
    from intarsia import _core

    stub = (ROOT / "python" / "intarsia" / "_core.pyi").read_text("utf-8")
    typed = set(re.findall(r"^(?:def|class) (\w+)", stub, re.M))
    bound = {name for name in vars(_core) if not name.startswith("_")}
    assert bound == typed

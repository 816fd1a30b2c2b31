"""Random streams: one list of stages, one way to a generator, and no number drawn under two names."""

from __future__ import annotations

import ast
import re
from itertools import product
from pathlib import Path

import pytest

from intarsia import _core
from intarsia._core import Stage
from intarsia.streams import generator

ROOT = Path(__file__).parents[2]
RNG = ROOT / "cpp" / "include" / "intarsia" / "common" / "rng.hpp"
#: Data are made once and for all: published figures are of these points.
DATA = {"datasets.py", "studies/annealing/data.py", "cli/doctor/checks.py", "streams.py"}
LARGE = 2**64 - 1


def in_cpp() -> dict[str, int]:
    found = re.findall(r"k(\w+) = (\d+),", RNG.read_text())
    return {re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).upper(): int(number) for name, number in found}


def in_stub() -> set[str]:
    stub = ast.parse((ROOT / "python" / "intarsia" / "_core.pyi").read_text())
    (stage,) = [n for n in stub.body if isinstance(n, ast.ClassDef) and n.name == "Stage"]
    names = [
        n.target.id for n in stage.body if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)
    ]
    return {name for name in names if name.isupper()}


def test_stages_are_the_same_and_distinct_in_both_languages() -> None:
    stages = {name: int(stage) for name, stage in Stage.__members__.items()}
    assert stages == in_cpp()
    assert set(stages) == in_stub()
    assert len(set(stages.values())) == len(stages) > 10
    assert min(stages.values()) > 0  # the second word of the key is 0 in C++


def names() -> list[tuple[int, Stage, tuple[int, ...]]]:
    tasks = [(a, b, c) for a, b, c in product((0, 1, LARGE), repeat=3)]
    return list(product((0, 1, LARGE), Stage.__members__.values(), tasks))


def test_no_two_names_share_a_counter() -> None:
    ranges = set()
    for seed, stage, task in names():
        state = generator(seed, stage, *task).bit_generator.state["state"]
        assert state["counter"][0] == 0  # the word that NumPy counts in: 2**64 blocks before the next
        assert state["key"][1] != 0  # where C++ has 0
        ranges.add((*state["key"].tolist(), *state["counter"].tolist()))
    assert len(ranges) == len(names())


def test_numbers_left_out_are_zero_and_draws_repeat() -> None:
    draws = [generator(5, Stage.SEARCH, *task).random(4).tolist() for task in [(3,), (3, 0), (3, 0, 0)]]
    assert draws[0] == draws[1] == draws[2]
    assert draws[0] != generator(5, Stage.COVER, 3).random(4).tolist()


def test_it_is_philox_with_these_words() -> None:
    words = _core.philox4x64([1, 7, 8, 9], [5, int(Stage.SEARCH)])
    assert generator(5, Stage.SEARCH, 7, 8, 9).bit_generator.random_raw(4).tolist() == words


@pytest.mark.parametrize("word", ["Philox", "SeedSequence", "default_rng", "RandomState("])
def test_nobody_else_makes_a_generator(word: str) -> None:
    package = ROOT / "python" / "intarsia"
    users = {str(path.relative_to(package)) for path in package.rglob("*.py") if word in code_of(path)}
    assert {user for user in users if not user.startswith("bench/")} <= DATA


def code_of(path: Path) -> str:
    return ast.unparse(ast.parse(path.read_text()))

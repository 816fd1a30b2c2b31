"""The house stays in order: no crowded folder, tests beside their sources, few files on a fit's way."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "python" / "intarsia"
TESTS = ROOT / "tests" / "python"
BESIDE = {"determinism", "estimators", "mpi", "slurm"}  # what no single room answers for
MOST_FILES = 20
MOST_MODULES = 40

WALK = """
import json, sys
from intarsia.cli.core.main import main
code = main(sys.argv[1:])
files = {name: getattr(module, "__file__", None) or "" for name, module in sys.modules.items()}
ours = {name: file for name, file in files.items() if name.split(".")[0] == "intarsia"}
print(json.dumps({name: file for name, file in ours.items() if file.endswith(".py")}))
sys.exit(code)
"""


def source_files():
    for folder in ("bindings", "cpp", "python", "scripts", "tests/cpp", "tests/python"):
        for path in (ROOT / folder).rglob("*"):
            is_source = (
                path.suffix in {".py", ".pyi", ".cpp", ".hpp", ".inl"} or path.name == "CMakeLists.txt"
            )
            if path.is_file() and is_source:
                yield path


def test_no_folder_is_crowded():
    sizes = Counter(path.parent.relative_to(ROOT) for path in source_files())
    assert sizes
    assert {str(folder): n for folder, n in sizes.items() if n > MOST_FILES} == {}


def test_test_folders_mirror_the_sources():
    folders = {path.parent.relative_to(TESTS) for path in TESTS.rglob("test_*.py")} - {Path()}
    rooms = {f for f in folders if f.parts[0] not in BESIDE}
    assert {str(folder) for folder in rooms if not (PACKAGE / folder).is_dir()} == set()


def test_every_room_has_tests():
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    tested = {path.relative_to(TESTS).parts[0] for path in TESTS.rglob("test_*.py")}
    assert rooms - tested == set()


def has_code(path):
    """Whether a module holds more than its docstring and the names it passes on."""
    passing_on = (ast.Import, ast.ImportFrom)
    for node in ast.parse(Path(path).read_text()).body:
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        is_listing = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
        if not (isinstance(node, passing_on) or is_docstring or is_listing):
            return True
    return False


@pytest.fixture(scope="module")
def u1060(tmp_path_factory):
    """A folder with generated points in a TSPLIB file of that name and size."""
    folder = tmp_path_factory.mktemp("data")
    (folder / "tsplib").mkdir()
    X = np.random.default_rng(0).integers(0, 20_000, (1060, 2))
    header = ["NAME: u1060", "TYPE: TSP", "DIMENSION: 1060", "EDGE_WEIGHT_TYPE: EUC_2D", "NODE_COORD_SECTION"]
    lines = [f"{i} {x} {y}" for i, (x, y) in enumerate(X, 1)]
    (folder / "tsplib" / "u1060.tsp").write_text("\n".join([*header, *lines, "EOF", ""]))
    return folder


def modules_of(*words):
    done = subprocess.run(
        [sys.executable, "-c", WALK, *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={name: value for name, value in os.environ.items() if name != "INTARSIA_DATA"},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_a_fit_passes_through_few_modules(u1060, tmp_path):
    words = ("u1060", "-k", 100, "--data-dir", u1060, "--out", tmp_path / "out", "--quiet")
    found = modules_of("fit", *words)
    assert (tmp_path / "out" / "result.json").is_file()
    walked = sorted(name for name, path in found.items() if has_code(path))
    assert len(walked) <= MOST_MODULES, "\n".join(walked)

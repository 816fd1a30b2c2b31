"""README and docs name only what exists: commands, options, imports, files."""

from __future__ import annotations

import argparse
import ast
import re
import shlex
from importlib import import_module
from pathlib import Path

import pytest

from intarsia.cli.core.main import COMMANDS, build_parser

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
TEXTS = {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in DOCUMENTS}
#: Options of MPI's launchers, Slurm, pip and our scripts.
FOREIGN = {
    "--array", "--bind-to", "--chaos", "--cpus-per-task", "--dependency", "--map-by", "--mpi", "--no-binary",
    "--ntasks", "--ntasks-per-node", "--requeue", "--sanitize", "--signal", "--slurm", "--strict",
}  # fmt: skip


def blocks(text: str, *kinds: str) -> list[str]:
    found = re.findall(r"^```(\w*)\n(.*?)^```", text, re.M | re.S)
    return [body for kind, body in found if kind in kinds]


def commands(text: str) -> list[list[str]]:
    """Return the words after `intarsia` of every line of every block for a shell."""
    found = []
    for body in blocks(text, "sh", "console"):
        for line in body.replace("\\\n", " ").splitlines():
            words = shlex.split(line.removeprefix("$ "), comments=True)
            at = words.index("intarsia") if "intarsia" in words else None
            runs = line.startswith(("$ ", "intarsia ", "mpi", "srun "))
            if at is not None and runs:
                found.append(words[at + 1 :])
    return found


def all_parsers(parser: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
    below = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    return [parser, *(p for action in below for one in action.choices.values() for p in all_parsers(one))]


@pytest.fixture(scope="module")
def options():
    """Every option of every command."""
    parsers = [p for name in COMMANDS for p in all_parsers(build_parser([name]))]
    return {option for parser in parsers for option in parser._option_string_actions}


@pytest.mark.parametrize("name", TEXTS)
def test_every_command_is_understood(name, tmp_path, monkeypatch):
    (tmp_path / "data").mkdir()
    monkeypatch.chdir(tmp_path)
    for words in commands(TEXTS[name]):
        _, unknown = build_parser(words).parse_known_args(words)
        assert unknown == [], words


def test_most_documents_have_commands():
    assert sum(len(commands(text)) for text in TEXTS.values()) > 50


@pytest.mark.parametrize("name", TEXTS)
def test_every_option_in_a_sentence_is_there(name, options):
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", TEXTS[name], flags=re.M | re.S))
    named = {option for span in spans for option in re.findall(r"(?<![\w-])--[a-z][\w-]*", span)}
    assert sorted(named - options - FOREIGN) == []


@pytest.mark.parametrize("name", TEXTS)
def test_every_import_of_ours_is_there(name):
    for body in blocks(TEXTS[name], "python"):
        for node in ast.walk(ast.parse(body)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("intarsia"):
                home = import_module(node.module)
                assert [a.name for a in node.names if not hasattr(home, a.name)] == []


@pytest.mark.parametrize("name", TEXTS)
def test_every_link_leads_somewhere(name):
    links = re.findall(r"\]\(([^)#\s]+)", TEXTS[name])
    here = [link for link in links if "://" not in link]
    assert [link for link in here if not ((ROOT / name).parent / link).exists()] == []

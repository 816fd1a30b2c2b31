"""cpp/README.md promises a line for every header and source: it keeps the promise."""

from __future__ import annotations

from pathlib import Path

CPP = Path(__file__).parents[3] / "cpp"


def test_every_header_and_every_source_without_one_has_its_line():
    text = (CPP / "README.md").read_text(encoding="utf-8")
    headers = list((CPP / "include" / "intarsia").iterdir())
    known = {path.stem for path in headers}
    alone = [path for path in (CPP / "src").iterdir() if path.stem not in known]
    assert headers
    assert [path.name for path in (*headers, *alone) if f"`{path.name}`" not in text] == []

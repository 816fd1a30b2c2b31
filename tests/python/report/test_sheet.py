"""Tables as they are printed and written; read back by pandas."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from intarsia.report.sheet import Column, Sheet, print_sheet, write_sheet

SHEET = Sheet(
    "table-1",
    "Table 1: costs",
    (Column("data"), Column("k", "d"), Column("cost", ".2f")),
    (("iris", 3, 78.9408414), ("a, b", 10, None)),
    ("the second has none",),
)


def test_written_csv_has_all_digits_and_empty_fields(tmp_path):
    write_sheet(tmp_path, SHEET)
    table = pd.read_csv(tmp_path / "table-1.csv")
    assert table["cost"].tolist()[0] == 78.9408414
    assert table["cost"].isna().tolist() == [False, True]
    assert table["data"].tolist() == ["iris", "a, b"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["table-1.csv", "table-1.md"]


def test_markdown_aligns_numbers_to_the_right():
    lines = SHEET.markdown().splitlines()
    assert lines[0] == "**Table 1: costs**"
    assert lines[2:6] == [
        "| data | k | cost |",
        "| --- | ---: | ---: |",
        "| iris | 3 | 78.94 |",
        "| a, b | 10 | – |",
    ]
    assert lines[-1] == "- the second has none"


def test_printed_columns_stand_below_each_other(capsys):
    print_sheet(SHEET.with_notes("more"))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Table 1: costs"
    assert lines[1].rindex("k") == lines[2].index("3") == lines[3].index("0")
    assert lines[2].endswith("78.94")
    assert lines[4:6] == ["  the second has none", "  more"]


def test_json_holds_records():
    made = json.loads(json.dumps(SHEET.as_json()))
    assert made["rows"] == [
        {"data": "iris", "k": 3, "cost": 78.9408414},
        {"data": "a, b", "k": 10, "cost": None},
    ]
    assert made["notes"] == ["the second has none"]


def test_a_row_that_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="zip"):
        Sheet("t", "t", (Column("a"), Column("b")), ((1,),)).texts()

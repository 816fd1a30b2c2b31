"""Guess a text table's delimiter and whether its first row is a header."""

from __future__ import annotations

from collections.abc import Sequence

from intarsia.io.bad_rows import is_number, split_row

# a semicolon or a tab is hardly ever data, a comma may be
_CANDIDATES = (";", "\t", ",")


def guess_delimiter(rows: Sequence[str]) -> str | None:
    """Return the delimiter of the first rows, or None for runs of white space."""
    for candidate in _CANDIDATES:
        if _separates(candidate, rows):
            return candidate
    for candidate in (",", ";"):  # rows that disagree: the error about them should use the right delimiter
        if candidate in rows[0]:
            return candidate
    return None


def _separates(delimiter: str, rows: Sequence[str]) -> bool:
    """Tell whether a delimiter cuts all rows into the same number (at least two) of fields."""
    cut = [split_row(row, delimiter) for row in rows]
    if delimiter == "\t" and any("" in fields for fields in cut):
        return False  # tabs used as alignment
    return len(cut[0]) > 1 and all(len(fields) == len(cut[0]) for fields in cut)


def looks_like_header(fields: Sequence[str]) -> bool:
    """Tell whether a first row is a header: it has text, and no field of it is a number."""
    # 1,5 with a decimal comma is a number written wrongly, not a name
    return any(fields) and not any(is_number(field.replace(",", ".")) for field in fields)

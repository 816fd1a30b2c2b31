"""Figures as the papers print them, as data; one module per paper."""

from intarsia.studies.published.table import PublishedTable, Row

__all__ = ["PublishedTable", "Row"]

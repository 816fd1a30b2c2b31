"""What a cluster costs, and the steps of the loop that depend on it: one file a criterion, found by name."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from intarsia.examce.criteria.protocol import Criterion

#: The class of each criterion; its module is imported when it is asked for.
CRITERIA = {
    "mssc": "intarsia.examce.criteria.mssc:Mssc",
}


def find_criterion(criterion: Any) -> Criterion:
    """Return a criterion by its name, with its default parameters; one that is given stays as it is."""
    if isinstance(criterion, str):
        if criterion not in CRITERIA:
            names = ", ".join(map(repr, CRITERIA))
            raise ValueError(f"criterion={criterion!r} should be one of {names}.")
        module, _, name = CRITERIA[criterion].partition(":")
        found: Criterion = getattr(import_module(module), name)()
        return found
    from intarsia.examce.criteria.protocol import Criterion

    if not isinstance(criterion, Criterion):
        raise TypeError(f"criterion={criterion!r} should be a name or a Criterion.")
    return criterion

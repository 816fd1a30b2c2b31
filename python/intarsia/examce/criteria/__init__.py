"""What a cluster costs, and the steps of the loop that depend on it: one file a criterion, found by name.

Light to import: the command line finds its options here; a criterion's module is loaded when it is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from intarsia.examce.criteria.protocol import Criterion


@dataclass(frozen=True)
class Setting:
    """A parameter of a criterion that `intarsia fit` offers as an option; the criterion itself checks it.

    Attributes
    ----------
    name : str
        The field of the criterion's class; criteria that share one share its option.
    help : str
        One line, the default in brackets.
    read : type
        What the word on the command line is turned into: str, int or float.
    choices, metavar
        As argparse has them.
    flag : str
        The option, where it is not the name with two dashes.
    value
        What an option that takes no word stands for.
    """

    name: str
    help: str
    read: type = str
    choices: tuple[str, ...] | None = None
    metavar: str | None = None
    flag: str = ""
    value: Any = None

    @property
    def option(self) -> str:
        """The option of the command line."""
        return self.flag or "--" + self.name.replace("_", "-")


@dataclass(frozen=True)
class CriterionRow:
    """One criterion.

    Attributes
    ----------
    home : str
        ``module:Class`` in this folder.
    summary : str
        What a cluster costs, in a few words for help texts.
    settings : tuple of Setting
        Its parameters.
    finds_k : bool
        Whether the number of clusters may be a range, or left out, on the command line.
    bases : tuple of str
        Its own kinds of base runs, besides those of `intarsia.base.registry.BASES`.
    """

    home: str
    summary: str
    settings: tuple[Setting, ...] = ()
    finds_k: bool = False
    bases: tuple[str, ...] = ()

    def load(self) -> Any:
        """Return the class."""
        module, _, name = self.home.partition(":")
        return getattr(import_module(f"{__name__}.{module}"), name)


#: How p-medians measure distances, and which clusters of BIC share a variance.
METRICS = ("euclidean", "sqeuclidean", "manhattan", "cosine", "precomputed")
VARIANCES = ("pooled", "own")

CRITERIA: dict[str, CriterionRow] = {
    "mssc": CriterionRow("mssc:Mssc", "squared distances to means"),
    "entropy": CriterionRow(
        "entropy:Entropy",
        "mixture of clusters around every point",
        (
            Setting("alpha", "order of the entropy (0.9)", float, metavar="A"),
            Setting("neighbours", "so many nearest points count (n / 2k)", int, metavar="M"),
            Setting("radius", "all points so near count", float, metavar="R"),
            Setting("bandwidth", "all points count within so many deviations", float, metavar="B"),
            Setting("scaling", "of the features it sees (minmax)", choices=("minmax", "standard", "none")),
            Setting("swap_clusters", "search beyond the k-means starts", value=True),
        ),
        bases=("random",),
    ),
    "pmedian": CriterionRow(
        "pmedian:PMedian",
        "distances to median points",
        (
            Setting("metric", f"{', '.join(METRICS)} (euclidean)", choices=METRICS, metavar="M"),
            Setting("metric", "the data are distances", flag="--precomputed", value="precomputed"),
        ),
        bases=("greedy", "random"),
    ),
    "bic": CriterionRow(
        "bic:Bic",
        "Gaussians, k found",
        (Setting("variance", "pooled, or own of each cluster (pooled)", choices=VARIANCES, metavar="V"),),
        finds_k=True,
    ),
}


def find_criterion(criterion: Any, **parameters: Any) -> Criterion:
    """Return a criterion by its name, with these parameters, or around a cost; a criterion stays as it is."""
    if isinstance(criterion, str):
        if criterion not in CRITERIA:
            names = ", ".join(map(repr, CRITERIA))
            raise ValueError(f"criterion={criterion!r} should be one of {names}.")
        found: Criterion = CRITERIA[criterion].load()(**parameters)
        return found
    from intarsia.examce.criteria.protocol import Criterion

    if isinstance(criterion, Criterion):
        return criterion
    if not callable(criterion) or isinstance(criterion, type):
        raise TypeError(
            f"criterion={criterion!r} should be a name, a Criterion or a function of (X, members)."
        )
    from intarsia.examce.criteria.own_cost import OwnCost

    return OwnCost(criterion)

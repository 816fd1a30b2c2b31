"""All measures of two partitions at once, by name."""

from __future__ import annotations

from collections.abc import Callable

from numpy.typing import ArrayLike

from intarsia.metrics import information as info
from intarsia.metrics.matching import cvc_error, error_rate, purity
from intarsia.metrics.pairs import adjusted_rand_index, fowlkes_mallows, jaccard_index, rand_index, wallace
from intarsia.metrics.table import ContingencyTable, contingency

MEASURES: dict[str, Callable[[ContingencyTable], float]] = {
    "rand": rand_index,
    "adjusted_rand": adjusted_rand_index,
    "jaccard": jaccard_index,
    "wallace_a": lambda table: wallace(table)[0],
    "wallace_b": lambda table: wallace(table)[1],
    "fowlkes_mallows": fowlkes_mallows,
    "mutual_information": info.mutual_information,
    "nmi_geometric": info.normalized_mutual_information,
    "nmi_arithmetic": lambda table: info.normalized_mutual_information(table, average="arithmetic"),
    "nmi_max": lambda table: info.normalized_mutual_information(table, average="max"),
    "adjusted_mutual_information": info.adjusted_mutual_information,
    "homogeneity": info.homogeneity,
    "completeness": info.completeness,
    "v_measure": info.v_measure,
    "variation_of_information": info.variation_of_information,
    "purity": purity,
    "cvc_error": cvc_error,
    "error_rate": error_rate,
}


def compare(a: ArrayLike, b: ArrayLike, sample_weight: ArrayLike | None = None) -> dict[str, float]:
    """Return every measure of two partitions; where the two are not alike, `a` holds the classes."""
    table = contingency(a, b, sample_weight)
    return {name: measure(table) for name, measure in MEASURES.items()}

"""How alike partitions are (pairs, information, matching), whole ensembles, and how labels suit points."""

from intarsia.metrics.compare import compare
from intarsia.metrics.consensus_matrix import consensus_cdf, pac
from intarsia.metrics.ensembles import anmi, diversity, pairwise
from intarsia.metrics.information import (
    adjusted_mutual_information,
    completeness,
    homogeneity,
    mutual_information,
    normalized_mutual_information,
    v_measure,
    variation_of_information,
)
from intarsia.metrics.matching import cvc_error, error_rate, purity
from intarsia.metrics.pairs import adjusted_rand_index, fowlkes_mallows, jaccard_index, rand_index, wallace
from intarsia.metrics.ratios import geometric_mean_ratio, gmr_table
from intarsia.metrics.table import ContingencyTable, contingency
from intarsia.metrics.validity import connectivity, isolation, robust_z

__all__ = [
    "ContingencyTable",
    "adjusted_mutual_information",
    "adjusted_rand_index",
    "anmi",
    "compare",
    "completeness",
    "connectivity",
    "consensus_cdf",
    "contingency",
    "cvc_error",
    "diversity",
    "error_rate",
    "fowlkes_mallows",
    "geometric_mean_ratio",
    "gmr_table",
    "homogeneity",
    "isolation",
    "jaccard_index",
    "mutual_information",
    "normalized_mutual_information",
    "pac",
    "pairwise",
    "purity",
    "rand_index",
    "robust_z",
    "v_measure",
    "variation_of_information",
    "wallace",
]

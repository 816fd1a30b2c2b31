"""Types of the compiled module; its functions take exactly these array types."""

from collections.abc import Callable
from typing import ClassVar, overload

import numpy as np
from numpy.typing import NDArray

from intarsia.arrays import Fitted, Floats, Ids, LabelFit, Labels, Members, Points

# common

def build_info() -> str: ...
def simd_level() -> str: ...
def max_threads() -> int: ...
def philox4x64(counter: list[int], key: list[int]) -> list[int]: ...
def count_distinct(x: Points, limit: int) -> int: ...

class Stage:
    SEEDING: ClassVar[Stage]
    RANDOM_SWAP: ClassVar[Stage]
    BASE_RUN: ClassVar[Stage]
    COVER: ClassVar[Stage]
    SEARCH: ClassVar[Stage]
    MERGE_COVER: ClassVar[Stage]
    STEP_COVER: ClassVar[Stage]
    BEST_SEARCH: ClassVar[Stage]
    LABEL_SEEDING: ClassVar[Stage]
    LABEL_MOVES: ClassVar[Stage]
    ANNEALING_ORDER: ClassVar[Stage]
    ANNEALING: ClassVar[Stage]
    ANNEALING_START: ClassVar[Stage]
    BOOSTING: ClassVar[Stage]
    BOOSTING_BASE: ClassVar[Stage]
    MEMBERS: ClassVar[Stage]
    HALVES: ClassVar[Stage]
    POINT_PAIRS: ClassVar[Stage]
    CLUSTER_PAIRS: ClassVar[Stage]
    STUDY_MEMBERS: ClassVar[Stage]
    STUDY_DRAWS: ClassVar[Stage]
    SPECTRAL: ClassVar[Stage]
    RESAMPLE: ClassVar[Stage]
    RESAMPLE_BASE: ClassVar[Stage]
    SELECTION: ClassVar[Stage]
    USER: ClassVar[Stage]
    __members__: ClassVar[dict[str, Stage]]
    def __int__(self) -> int: ...

# distance

def gaussian_density(x: Points, places: Floats, width: float, n_threads: int) -> Floats: ...

# neighbours

class TreeMetric:
    EUCLIDEAN: ClassVar[TreeMetric]
    MANHATTAN: ClassVar[TreeMetric]
    CHEBYSHEV: ClassVar[TreeMetric]

class NeighbourIndex:
    def __init__(self, x: Floats, n_threads: int, metric: TreeMetric = TreeMetric.EUCLIDEAN) -> None: ...
    def nearest(self, queries: Floats, k: int, first_own: int, n_threads: int) -> tuple[Members, Floats]: ...
    def within(
        self, queries: Floats, radius: float, first_own: int, n_threads: int
    ) -> tuple[Ids, Members, Floats]: ...

def euclidean_spanning_tree(x: Floats, n_threads: int) -> tuple[Members, Floats]: ...
def cut_tree(ends: Members, k: int) -> Labels: ...

# criteria

class StructuralEntropy:
    def __init__(self, offsets: Ids, ids: Members, alpha: float) -> None: ...
    def cost(self, members: Members) -> float: ...
    def costs(self, labels: Labels, k: int) -> Floats: ...
    def moves(self, labels: Labels, k: int, min_size: int, max_size: int, improves: bool) -> Labels: ...
    def add_clusters(
        self, pool: ColumnPool, labels: Labels, k: int, origin: int, min_size: int, max_size: int
    ) -> Ids: ...
    def remove_duplicates(self, pool: ColumnPool, chosen: Ids) -> Labels: ...
    def expand_partition(
        self,
        pool: ColumnPool,
        labels: Labels,
        k: int,
        tau: int,
        origin: int,
        min_size: int,
        max_size: int,
        n_threads: int,
    ) -> None: ...
    def swap_search(
        self,
        labels: Labels,
        k: int,
        seed: int,
        stage: Stage,
        task: int,
        substream: int,
        n_swaps: int,
        max_work: float,
        least_gain: float,
        seconds: float,
        min_size: int,
        max_size: int,
    ) -> tuple[Labels, ColumnPool, float, float]: ...

# kmeans

def kmeans(
    x: Points,
    weights: Floats | None,
    start: Floats,
    max_iter: int,
    tol: float,
    n_threads: int,
    seconds: float = ...,
) -> Fitted: ...
def assign_to_centres(x: Points, weights: Floats | None, centres: Floats, n_threads: int) -> Fitted: ...
def seed_points(
    x: Points,
    weights: Floats | None,
    k: int,
    init: str,
    seed: int,
    task: int,
    n_threads: int,
    seconds: float = ...,
    n_swaps: int = 0,
) -> NDArray[np.int64]: ...

# partition

def summarise(x: Floats, weights: Floats | None, labels: Labels, k: int) -> tuple[Floats, Floats, float]: ...
def hartigan(
    x: Floats,
    weights: Floats | None,
    labels: Labels,
    k: int,
    min_size: int,
    max_size: int,
    seconds: float = ...,
) -> tuple[Labels, int]: ...
def random_swap(
    x: Floats,
    weights: Floats | None,
    labels: Labels,
    k: int,
    n_swaps: int,
    seed: int,
    task: int,
    seconds: float = ...,
) -> tuple[Labels, int]: ...
def best_jump(
    x: Floats, weights: Floats | None, centres: Floats, n_threads: int
) -> tuple[int, int, float]: ...
def assign_within_sizes(costs: Floats, min_size: int, max_size: int) -> Labels: ...
def kmeans_within_sizes(
    x: Floats,
    weights: Floats | None,
    centres: Floats,
    min_size: int,
    max_size: int,
    max_flows: int,
    is_late: Callable[[], bool],
) -> Labels: ...

# mixture

def annealed_moments(
    x: Floats,
    weights: Floats | None,
    centres: Floats,
    shares: Floats,
    temperature: float,
    with_products: bool,
    n_threads: int,
) -> tuple[Floats, Floats, Floats]: ...
def gmm_from_labels(
    x: Points,
    weights: Floats | None,
    labels: Labels,
    k: int,
    covariance_type: str,
    reg_covar: float,
    n_threads: int,
) -> tuple[Floats, Floats, Floats]: ...
def gmm_from_responsibilities(
    x: Points,
    weights: Floats | None,
    responsibilities: Floats,
    covariance_type: str,
    reg_covar: float,
    n_threads: int,
) -> tuple[Floats, Floats, Floats]: ...
def gmm(
    x: Points,
    sample_weight: Floats | None,
    weights: Floats,
    means: Floats,
    covariances: Floats,
    covariance_type: str,
    max_iter: int,
    tol: float,
    reg_covar: float,
    n_threads: int,
) -> tuple[Floats, Floats, Floats, float, int, bool]: ...
def gmm_posteriors(
    x: Points, weights: Floats, means: Floats, covariances: Floats, covariance_type: str, n_threads: int
) -> tuple[Floats, Floats]: ...
def fuzzy_c_means(
    x: Points,
    weights: Floats | None,
    start: Floats,
    fuzziness: float,
    max_iter: int,
    shift_limit: float,
    n_threads: int,
) -> tuple[Floats, float, int, bool]: ...
def fuzzy_memberships(
    x: Points, centres: Floats, fuzziness: float, n_threads: int, out: Floats | None = None
) -> Floats: ...

# pool

class ColumnPool:
    @overload
    def __init__(self, n_points: int) -> None: ...
    @overload
    def __init__(
        self, n_points: int, offsets: Ids, members: Members, costs: Floats, origins: NDArray[np.int32]
    ) -> None: ...
    def __len__(self) -> int: ...
    @property
    def n_points(self) -> int: ...
    @property
    def offsets(self) -> Ids: ...
    @property
    def members(self) -> Members: ...
    @property
    def costs(self) -> Floats: ...
    @property
    def origins(self) -> NDArray[np.int32]: ...
    def find(self, members: Members) -> int: ...
    def add(self, members: Members, cost: float, origin: int = 0) -> tuple[int, bool]: ...
    def copy(self) -> ColumnPool: ...
    def absorb(self, other: ColumnPool, origin: int = 0) -> None: ...
    def subset(self, ids: Ids) -> ColumnPool: ...
    def prune(self, keep: NDArray[np.bool_]) -> None: ...

def add_clusters(
    pool: ColumnPool,
    x: Floats,
    weights: Floats | None,
    labels: Labels,
    k: int,
    origin: int,
    min_size: int = 1,
    max_size: int = ...,
) -> Ids: ...
def remove_duplicates(pool: ColumnPool, chosen: Ids, x: Floats, weights: Floats | None) -> Labels: ...
def expand_partition(
    pool: ColumnPool,
    x: Floats,
    weights: Floats | None,
    labels: Labels,
    k: int,
    tau: int,
    origin: int,
    min_size: int = 1,
    max_size: int = ...,
    n_threads: int = 1,
) -> int: ...

class SwapSearchOptions:
    def __init__(
        self,
        n_swaps: int,
        keep_within: float,
        seconds: float,
        min_size: int,
        max_size: int,
        n_flow_swaps: int = 0,
        max_work: float = ...,
        least_gain: float = 0.0,
    ) -> None: ...

def swap_search(
    x: Floats,
    weights: Floats | None,
    labels: Labels,
    k: int,
    seed: int,
    stage: Stage,
    task: int,
    substream: int,
    options: SwapSearchOptions,
    is_unwanted: Callable[[], bool] | None = ...,
) -> tuple[Labels, ColumnPool, float, float, float, tuple[int, int]]: ...

# pmedian

def column_median(x: Floats, weights: Floats | None, metric: str, members: Members) -> tuple[int, float]: ...
def cluster_medians(
    x: Floats, weights: Floats | None, metric: str, labels: Labels, k: int
) -> tuple[Members, Floats]: ...
def medians_of(x: Floats, weights: Floats | None, metric: str, labels: Labels, k: int) -> Members: ...
def draw_medians(
    x: Floats, weights: Floats | None, metric: str, k: int, greedy: bool, seed: int, task: int
) -> Members: ...
def swap_medians(
    x: Floats, weights: Floats | None, metric: str, medians: Members, seconds: float = ...
) -> tuple[Labels, Members, float, float]: ...
def median_search(
    x: Floats,
    weights: Floats | None,
    metric: str,
    medians: Members,
    seed: int,
    stage: Stage,
    task: int,
    substream: int,
    n_trials: int,
    max_work: float,
    least_gain: float,
    seconds: float,
) -> tuple[Labels, ColumnPool, float, float, float]: ...
def add_median_clusters(
    pool: ColumnPool,
    x: Floats,
    weights: Floats | None,
    metric: str,
    labels: Labels,
    k: int,
    origin: int,
    min_size: int,
    max_size: int,
) -> Ids: ...
def remove_median_duplicates(
    pool: ColumnPool, chosen: Ids, x: Floats, weights: Floats | None, metric: str
) -> Labels: ...
def expand_medians(
    pool: ColumnPool,
    x: Floats,
    weights: Floats | None,
    metric: str,
    labels: Labels,
    k: int,
    tau: int,
    origin: int,
    min_size: int,
    max_size: int,
) -> int: ...

# bic

class BicModel:
    def __init__(self, n_points: int, n_dims: int, variance: float, least_variance: float) -> None: ...

def bic_costs(model: BicModel, sizes: Ids, sums_of_squares: Floats) -> Floats: ...
def bic_moves(
    x: Floats,
    labels: Labels,
    k: int,
    model: BicModel,
    counts: tuple[int, int],
    min_size: int,
    max_size: int,
) -> Labels: ...

# cover

class AscentOptions:
    equality: bool
    max_iterations: int
    step: float
    upper_bound: float
    magnitude: float
    n_threads: int

def ascend(
    pool: ColumnPool, counts: tuple[int, int], start: Floats | None, options: AscentOptions
) -> tuple[float, Floats, Floats, int]: ...
def price_columns(pool: ColumnPool, multipliers: Floats, n_threads: int = 1) -> Floats: ...
def fix_columns(
    reduced_costs: Floats, bound: float, upper_bound: float, counts: tuple[int, int], magnitude: float = 0.0
) -> NDArray[np.int8]: ...
def round_lagrangian(
    pool: ColumnPool,
    counts: tuple[int, int],
    multipliers: Floats,
    reduced_costs: Floats,
    seed: int,
    stage: Stage,
    task: int,
    substream: int,
    noise: float = 0.2,
    candidate_factor: float = 6.0,
) -> Ids: ...

# ensemble

def contingency(
    a: Labels, b: Labels, weights: Floats | None, n_a: int, n_b: int, n_threads: int
) -> tuple[Labels, Labels, Floats]: ...
def expected_mutual_information(sizes_a: Ids, sizes_b: Ids) -> float: ...
def pairs_up_to(
    labels: Labels, member_weights: Floats, point_weights: Floats, thresholds: Floats, n_threads: int
) -> Floats: ...
def sampled_pairs_up_to(
    labels: Labels,
    member_weights: Floats,
    point_weights: Floats,
    first: Ids,
    second: Ids,
    thresholds: Floats,
) -> Floats: ...

class Similarity:
    def row(self, i: int) -> NDArray[np.float32]: ...

def coassociation(queries: Labels, targets: Labels, member_weights: Floats) -> Similarity: ...
def label_space(
    queries: NDArray[np.float32],
    targets: NDArray[np.float32],
    query_presence: NDArray[np.float32],
    target_presence: NDArray[np.float32],
    decay: bool,
    scale: float,
) -> Similarity: ...
def best_targets(similarity: Similarity, n_threads: int) -> Labels: ...
def cluster_overlap(labels: Labels, offsets: Ids, point_weights: Floats, n_threads: int) -> Floats: ...
def membership_gram(memberships: Floats, point_weights: Floats, n_threads: int) -> Floats: ...
def unseen_squares(memberships: Floats, labels: Labels, point_weights: Floats) -> Floats: ...

# consensus

class LabelEnsemble:
    def __init__(
        self,
        labels: Labels,
        n_classes: Ids,
        memberships: Floats | None,
        member_weights: Floats,
        point_weights: Floats,
    ) -> None: ...
    def seeded(self, k: int, seed: int, task: int, n_threads: int) -> Labels: ...
    def nearest(self, modes: Labels, n_threads: int) -> Labels: ...
    def kmodes(self, start: Labels, k: int, max_iter: int, n_threads: int) -> LabelFit: ...
    def improve_kmodes(
        self, start: Labels, k: int, max_iter: int, n_swaps: int, seed: int, n_threads: int
    ) -> LabelFit: ...
    def itk(self, start: Labels, k: int, max_iter: int, smoothing: float, n_threads: int) -> LabelFit: ...
    def qmi(self, start: Labels, k: int, max_iter: int, n_threads: int) -> LabelFit: ...
    def mixture_partition(
        self, start: Labels, k: int, max_iter: int, smoothing: float, n_threads: int
    ) -> LabelFit: ...
    def mixture(
        self, start: Labels, k: int, max_iter: int, smoothing: float, tol: float, n_threads: int
    ) -> tuple[Floats, Floats, int, bool]: ...

def top_neighbours(
    similarity: Similarity, n_neighbours: int, n_threads: int
) -> tuple[NDArray[np.int32], NDArray[np.float32]]: ...
def agglomerate(
    similarity: Similarity, weights: Floats, linkage: str, n_threads: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float32]]: ...
def spanning_tree(
    similarity: Similarity,
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float32]]: ...
def meta_association(
    labels: Labels,
    offsets: Ids,
    memberships: Floats,
    member_weights: Floats,
    meta: Labels,
    k: int,
    n_threads: int,
) -> Floats: ...
def refine_bipartite(
    labels: Labels,
    offsets: Ids,
    memberships: Floats,
    member_weights: Floats,
    point_weights: Floats,
    parts: Labels,
    k: int,
    max_weight: float,
    max_passes: int,
) -> tuple[Labels, Labels, float]: ...

# annealing

class Measure:
    CORRECTED_RAND: ClassVar[Measure]
    JACCARD: ClassVar[Measure]
    WALLACE: ClassVar[Measure]
    NMI: ClassVar[Measure]

class Acceptance:
    THRESHOLD: ClassVar[Acceptance]
    METROPOLIS: ClassVar[Acceptance]

class Choice:
    FIRST: ClassVar[Choice]
    BEST: ClassVar[Choice]

class AnnealingOptions:
    temperature: float | None
    start_share: float
    cooling: float
    threshold: float
    acceptance: Acceptance
    choice: Choice
    patience: int
    idle_changes: int
    max_loops: int
    batch: int
    allow_empty: bool
    n_threads: int
    seed: int
    chain: int

def anneal(
    labels: Labels,
    n_classes: Ids,
    member_weights: Floats,
    point_weights: Ids,
    start: Labels,
    k: int,
    measure: Measure,
    options: AnnealingOptions,
) -> tuple[Labels, float, Floats, int, int, bool]: ...
def descend(
    labels: Labels,
    n_classes: Ids,
    member_weights: Floats,
    point_weights: Ids,
    start: Labels,
    k: int,
    measure: Measure,
    options: AnnealingOptions,
) -> tuple[Labels, float, Floats, int, int, bool]: ...
def mean_agreement(
    labels: Labels,
    n_classes: Ids,
    member_weights: Floats,
    point_weights: Ids,
    partition: Labels,
    k: int,
    measure: Measure,
) -> float: ...

# boosting

def draw_replicate(weights: Floats, n_draws: int, seed: int, round: int, attempt: int) -> Floats: ...
def boosting_seed(seed: int, round: int, attempt: int) -> int: ...
def pseudoloss(weights: Floats, quality: Floats, n_threads: int) -> float: ...
def reweighted(weights: Floats, quality: Floats, log_beta: float, n_threads: int) -> Floats: ...
def minmax_quality(memberships: Floats, n_threads: int) -> Floats: ...
def entropy_quality(memberships: Floats, log_base: float, n_threads: int) -> Floats: ...
def add_votes(votes: Floats, memberships: Floats, names: Labels, weight: float, n_threads: int) -> Labels: ...
def largest_columns(rows: Floats, n_threads: int) -> Labels: ...

# selection

def cluster_stability(reference: Labels, k: int, other: Labels, k_other: int) -> Floats: ...
def shared_points(offsets: Ids, members: Members, n_points: int, n_threads: int) -> Ids: ...
def membership_patterns(offsets: Ids, members: Members, n_points: int) -> Members: ...

class Selection:
    def __init__(
        self,
        goodness: Floats,
        overlap: Floats,
        offsets: Ids,
        members: Members,
        n_points: Floats,
        overlap_cost: float,
        uncovered_cost: float,
        by_mean: bool,
    ) -> None: ...
    def objective(self, chosen: Members) -> float: ...
    def hill_climb(
        self, least: int, most: int, n_starts: int, seed: int, n_threads: int
    ) -> tuple[Members, float, int, int]: ...

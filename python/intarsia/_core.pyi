"""Types of the compiled module; its functions take exactly these array types."""

import numpy as np
from numpy.typing import NDArray

from intarsia.arrays import Fitted, Floats, Labels, Points

def philox4x64(counter: list[int], key: list[int]) -> list[int]: ...
def kmeans(
    x: Points,
    weights: Floats,
    start: Floats,
    max_iter: int,
    tol: float,
    n_threads: int,
) -> Fitted: ...
def assign_to_centres(x: Points, weights: Floats, centres: Floats, n_threads: int) -> Fitted: ...
def seed_points(
    x: Points, weights: Floats, k: int, init: str, seed: int, task: int, n_threads: int
) -> NDArray[np.int64]: ...
def count_distinct(x: Points, limit: int) -> int: ...
def hartigan(
    x: Floats,
    weights: Floats,
    labels: Labels,
    k: int,
    min_size: int,
    max_size: int,
) -> tuple[Labels, int]: ...
def random_swap(
    x: Floats,
    weights: Floats,
    labels: Labels,
    k: int,
    n_swaps: int,
    seed: int,
    task: int,
) -> tuple[Labels, int]: ...
def summarise(x: Floats, weights: Floats, labels: Labels, k: int) -> tuple[Floats, Floats, float]: ...
def simd_level() -> str: ...
def max_threads() -> int: ...
def build_info() -> str: ...

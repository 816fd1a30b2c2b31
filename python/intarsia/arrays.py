"""Array types that the whole package speaks of."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Points = NDArray[np.float64] | NDArray[np.float32]
Labels = NDArray[np.int32]
Members = NDArray[np.int32]
Ids = NDArray[np.int64]
Fitted = tuple[Labels, Floats, float, int, bool]
"""labels, centres, inertia, number of iterations, converged"""
LabelFit = tuple[Labels, float, int, bool, Floats]
"""labels, cost, number of iterations, converged, cost after each iteration"""

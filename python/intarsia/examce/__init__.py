"""EXAMCE: pool the clusters of many base runs, recombine them by exact covering."""

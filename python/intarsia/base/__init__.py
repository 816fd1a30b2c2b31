"""Base clusterers: one protocol, one registry; centroid methods, EM, fuzzy c-means, single link, spectral."""

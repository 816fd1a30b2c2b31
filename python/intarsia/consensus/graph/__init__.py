"""Consensus by cutting graphs of points, of clusters, or of both."""

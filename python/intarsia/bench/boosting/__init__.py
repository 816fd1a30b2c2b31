"""Boost-clustering against a plain version."""

"""Consensus by partitioning rows of labels."""

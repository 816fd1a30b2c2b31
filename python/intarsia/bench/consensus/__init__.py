"""Consensus functions against plain versions of them."""

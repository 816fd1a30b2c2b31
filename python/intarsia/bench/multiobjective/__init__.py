"""Benchmarks of multiobjective clustering."""

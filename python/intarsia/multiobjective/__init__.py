"""Multiobjective clustering: the best clusters of several algorithms (Law, Topchy and Jain, 2004)."""

from intarsia.multiobjective.algorithms import Instance, default_algorithms
from intarsia.multiobjective.chosen import ChosenCluster

__all__ = ["ChosenCluster", "Instance", "default_algorithms"]

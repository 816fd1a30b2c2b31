"""Consensus by simulated annealing on the mean agreement with the members."""

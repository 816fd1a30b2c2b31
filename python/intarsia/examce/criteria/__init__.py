"""What a cluster costs, and the steps of the loop that depend on it."""

from intarsia.examce.criteria.mssc import Mssc

__all__ = ["Mssc"]

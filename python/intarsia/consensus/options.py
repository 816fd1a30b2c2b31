"""What every consensus function is told besides the ensemble and k."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from intarsia.executor import Executor, SerialExecutor


@dataclass(frozen=True)
class ConsensusOptions:
    """Seed, who computes, and the method's own keyword options."""

    seed: int = 0
    n_threads: int = 1
    executor: Executor = field(default_factory=SerialExecutor)
    params: Mapping[str, Any] = field(default_factory=dict)

    def settle(self, method: str, **defaults: Any) -> dict[str, Any]:
        """Return the method's options, those not given by their defaults; unknown names are refused."""
        unknown = sorted(set(self.params) - set(defaults))
        if unknown:
            known = ", ".join(defaults) or "none"
            raise TypeError(f"{method} has no option {unknown[0]!r}; its options: {known}.")
        return {**defaults, **self.params}

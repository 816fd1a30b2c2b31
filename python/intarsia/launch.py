"""Whether this process is one of several that a launcher started, as its environment tells; no MPI needed.

``INTARSIA_MPI=0`` in the environment makes every process compute for itself, whoever started it.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from intarsia.executor.mpi import World

# Open MPI; MPICH, Intel MPI, srun --mpi=pmi2; MVAPICH2; srun. Not SLURM_NTASKS: batch scripts have that too.
_SIZES = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS")
_RANKS = ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID")
_SWITCH = "INTARSIA_MPI"


def may_have_ranks() -> bool:
    """Whether MPI is worth asking: several processes, or a launcher that does not say how many."""
    if switched_off():
        return False
    n_ranks = launched_ranks()
    return "PMIX_RANK" in os.environ if n_ranks is None else n_ranks > 1


def switched_off() -> bool:
    """Whether the user wants no MPI."""
    return os.environ.get(_SWITCH, "") == "0"


def launched_ranks() -> int | None:
    """Return how many processes the launcher started; None if it does not say."""
    return _first_number(_SIZES)


def launched_rank() -> int:
    """Return which of them this is; 0 when it was started by itself."""
    return (_first_number(_RANKS) or 0) if may_have_ranks() else 0


def joined_world() -> World | None:
    """Return the ranks of this job if anybody has asked for them yet."""
    mpi = sys.modules.get("intarsia.executor.mpi")
    return None if mpi is None else mpi.World.current


def compute_alone() -> None:
    """From now on this process works without the others."""
    os.environ[_SWITCH] = "0"


def _first_number(names: tuple[str, ...]) -> int | None:
    for name in names:
        value = os.environ.get(name, "")
        if value.isdigit():
            return int(value)
    return None

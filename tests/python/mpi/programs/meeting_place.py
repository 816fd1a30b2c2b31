"""Joins the ranks, then says which of the files they met through still have a name."""

from __future__ import annotations

import re
from pathlib import Path

from intarsia.executor import find_world

world = find_world()
assert world is not None
world.comm.Barrier()
if world.rank == 0:
    mapped = set(re.findall(r"/dev/shm/mpich_(?:shm|vci)\S+", Path("/proc/self/maps").read_text()))
    print(f"{len(mapped)} mapped, {sum(Path(path).exists() for path in mapped)} named")

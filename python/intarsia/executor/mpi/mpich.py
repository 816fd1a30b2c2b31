"""The file in shared memory through which MPICH's ranks of a node find each other, removed once they have.

Its name is a hash of the job's number and step. What a killed job left there would be taken for its own by
the next job of that name, such as the same job requeued, which then fails in `MPI_Init` or waits for ever.
"""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

_MAPS = Path("/proc/self/maps")
_MEETING_PLACE = re.compile(r"/dev/shm/mpich_(?:shm|vci)_[0-9a-f]+_[0-9]+$", re.MULTILINE)


def forget_meeting_places(maps: Path = _MAPS) -> None:
    """Remove the names of what this process has mapped; the memory itself lives until the last rank ends."""
    try:
        mapped = maps.read_text()
    except OSError:  # not Linux: nothing to look at
        return
    for path in set(_MEETING_PLACE.findall(mapped)):
        with contextlib.suppress(OSError):
            Path(path).unlink()

"""What a killed job leaves in shared memory must not meet the next job of the same name."""

from __future__ import annotations

import sys

import pytest

from intarsia.executor.mpi.mpich import forget_meeting_places


@pytest.mark.skipif(sys.platform != "linux", reason="shared memory has names to look at on Linux only")
def test_joined_ranks_leave_no_name_behind(mpirun):
    done = mpirun(3, "meeting_place.py")
    assert (done.code, done.err) == (0, "")
    n_mapped, n_named = (int(word) for word in done.out.split() if word.isdigit())
    assert n_named == 0
    if n_mapped == 0:
        pytest.skip("this MPI meets elsewhere")


def test_nothing_else_is_removed(tmp_path):
    other = tmp_path / "mpich_shm_1a2b_0"
    other.write_text("not in shared memory")
    maps = tmp_path / "maps"
    lines = (f"7f-80 rw-s 0 00:19 12 {other}", "7f-80 rw-s 0 00:19 13 /dev/shm/mpich_shm_other (deleted)")
    maps.write_text("\n".join(lines))
    forget_meeting_places(maps)
    forget_meeting_places(tmp_path / "missing")
    assert other.exists()

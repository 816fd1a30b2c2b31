"""What the compiled module says about itself."""

import os

import pytest

from intarsia import _core

pytestmark = pytest.mark.kernels


def test_build_and_threads():
    assert "OpenMP" in _core.build_info()
    assert 1 <= _core.max_threads() <= os.cpu_count()

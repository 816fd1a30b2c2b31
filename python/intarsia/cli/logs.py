"""Log files: one for each rank, so that none waits for another to write."""

from __future__ import annotations

import logging
from pathlib import Path

from intarsia.executor.launch import launched_rank

_FORM = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def log_to(folder: Path | None) -> None:
    """Write what the library logs to ``rank-NNNN.log`` in a folder; None: nowhere."""
    if folder is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    file = logging.FileHandler(folder / f"rank-{launched_rank():04d}.log", mode="w", encoding="utf-8")
    file.setFormatter(logging.Formatter(_FORM))
    logger = logging.getLogger("intarsia")
    logger.addHandler(file)
    logger.setLevel(logging.INFO)

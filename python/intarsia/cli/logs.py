"""Log files: one for each rank, so that none waits for another to write."""

from __future__ import annotations

import logging
from pathlib import Path

from intarsia.launch import launched_rank

_FORM = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def log_to(folder: Path | None, *, go_on: bool = False) -> None:
    """Write what the library logs to ``rank-NNNN.log`` in a folder, after what is there if it goes on."""
    if folder is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    mode = "a" if go_on else "w"
    file = logging.FileHandler(folder / f"rank-{launched_rank():04d}.log", mode=mode, encoding="utf-8")
    file.setFormatter(logging.Formatter(_FORM))
    logger = logging.getLogger("intarsia")
    logger.addHandler(file)
    logger.setLevel(logging.INFO)

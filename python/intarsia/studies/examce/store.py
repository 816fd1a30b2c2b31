"""Runs kept on disk, one file each, so that a study can be left and taken up again."""

from __future__ import annotations

from dataclasses import asdict, fields
from pathlib import Path

from intarsia import __version__
from intarsia.io.archive import DamagedFileError, read_archive, write_archive
from intarsia.studies.examce.lab import JobResult
from intarsia.studies.examce.settings import Job

_LABELS = "labels"
#: What is kept beside job and labels: all numbers and words of a result.
_FACTS = tuple(field.name for field in fields(JobResult) if field.name not in ("job", _LABELS))


class RunStore:
    """A folder of runs; those of another version of intarsia do not count.

    Parameters
    ----------
    folder : Path
        Made when the first run is kept.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, job: Job) -> JobResult | None:
        """Return the result of a job, or None where there is none that can be used."""
        try:
            facts, arrays = read_archive(self._path(job))
        except (FileNotFoundError, DamagedFileError):
            return None
        if facts["version"] != __version__ or facts["job"] != asdict(job):
            return None
        return JobResult(job, labels=arrays[_LABELS], **{name: facts[name] for name in _FACTS})

    def write(self, result: JobResult) -> None:
        """Keep a result; the file is there only when it is whole."""
        self._folder.mkdir(parents=True, exist_ok=True)
        known = {name: getattr(result, name) for name in _FACTS}
        facts = {"version": __version__, "job": asdict(result.job), **known}
        write_archive(self._path(result.job), facts, {_LABELS: result.labels})

    def _path(self, job: Job) -> Path:
        words = [job.data.replace(":", "-"), job.n_clusters, job.effort, job.solver, f"seed{job.seed}"]
        more = [f"{name}{value}" for name, value in _asked(job).items()]
        return self._folder / ("-".join(map(str, words + more)) + ".npz")


def _asked(job: Job) -> dict[str, object]:
    """What a job asks for beyond the usual."""
    settings = {"runs": job.n_base_runs, "bracket": job.bracket, "": job.setting or None}
    return {name: value for name, value in settings.items() if value is not None}

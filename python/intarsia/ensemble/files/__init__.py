"""Ensembles on disk: NPZ (everything), CSV and Parquet (labels or memberships); never pickle."""

from intarsia.ensemble.files.formats import load_ensemble, save_ensemble

__all__ = ["load_ensemble", "save_ensemble"]

"""Benchmarks, one module each: `run(*, data_dir, quick, as_json, ...)` measures and prints."""

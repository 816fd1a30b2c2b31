"""Benchmarks, one module each: `run(data_dir, quick, repeats, as_json)` measures and prints."""

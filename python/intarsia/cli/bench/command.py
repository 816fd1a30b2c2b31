"""`intarsia bench NAME`: run one benchmark of `intarsia.bench`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from inspect import signature

from intarsia.cli.bench.options import (
    add_budgets,
    add_common_options,
    add_consensus,
    add_cover,
    add_data_folder,
    add_fast,
    add_memory,
    add_mpi,
    add_mssc,
    add_repeats,
    add_scale,
    add_scaling,
    add_stop,
)
from intarsia.cli.core.files import check_out_dir
from intarsia.cli.core.parser import Parser

DESCRIPTION = "Measure against other libraries on this machine, side by side."
EXAMPLE = """\
  intarsia bench kmeans --quick
  intarsia bench mssc --data-dir data --jobs 2 --out results"""


@dataclass(frozen=True)
class Benchmark:
    """A module of `intarsia.bench`, its help, its own options and an example."""

    module: str
    summary: str
    add_options: Callable[[Parser], None]
    example: str = "--quick"
    reads_data: bool = True


BENCHMARKS: dict[str, Benchmark] = {
    "annealing": Benchmark(
        "consensus.annealing",
        "SA-RI against NumPy, its growth, a large ensemble",
        add_repeats,
        reads_data=False,
    ),
    "boosting": Benchmark(
        "boosting.boosting",
        "boost-clustering against NumPy and scikit-learn, one thread",
        add_repeats,
        reads_data=False,
    ),
    "kmeans": Benchmark(
        "kernels.kmeans", "k-means against scikit-learn: five cases, one thread", add_repeats
    ),
    "base": Benchmark(
        "kernels.base",
        "EM, fuzzy c-means and k-modes against their peers, one thread",
        add_repeats,
        reads_data=False,
    ),
    "neighbours": Benchmark(
        "kernels.neighbours",
        "nearest neighbours against SciPy and scikit-learn, one thread",
        add_repeats,
        reads_data=False,
    ),
    "single-link": Benchmark(
        "kernels.single_link",
        "single link against fastcluster and SciPy, one thread",
        add_repeats,
        reads_data=False,
    ),
    "spectral": Benchmark(
        "kernels.spectral",
        "spectral clustering against scikit-learn, one thread",
        add_repeats,
        reads_data=False,
    ),
    "multi": Benchmark(
        "multiobjective.multi",
        "steps of multiobjective clustering against plain NumPy",
        add_repeats,
        reads_data=False,
    ),
    "hk-means": Benchmark(
        "kernels.hk_means", "150 HK-means runs and random swap on u1060, k = 100", add_repeats
    ),
    "mssc": Benchmark(
        "quality.mssc",
        "quality at equal CPU time against three libraries",
        add_mssc,
        "--cases u1060:100 iris:10 --budgets 2 --data-dir D",
    ),
    "cover": Benchmark(
        "cover.cover", "the cover solver against plain HiGHS", add_cover, "--data-dir D --seconds 20"
    ),
    "scale": Benchmark(
        "quality.scale",
        "time and memory as n and k grow, large sets",
        add_scale,
        "--cases birch1:100 --data-dir D",
    ),
    "stop": Benchmark(
        "quality.stop",
        "how soon an effort ends on easy problems, beside ten starts of scikit-learn",
        add_stop,
        "--cases s1:15 --data-dir D",
    ),
    "fast": Benchmark(
        "quality.fast",
        "fast effort beside ten starts of scikit-learn: cost and CPU time",
        add_fast,
        "--cases s1:15 digits:10 --data-dir D",
    ),
    "defaults": Benchmark(
        "quality.defaults",
        "KMeans beside scikit-learn's, both as they come: cost and CPU time",
        add_fast,
        "--cases s1:15 iris:3 --data-dir D",
    ),
    "budgets": Benchmark(
        "quality.budgets",
        "one seed with growing time limits: more time never hurts",
        add_budgets,
        "--cases u1060:100 --budgets 1 5 --data-dir D",
    ),
    "mpi": Benchmark("parallel.mpi", "several MPI ranks against one: base runs, the whole fit", add_mpi),
    "memory": Benchmark(
        "parallel.memory",
        "peak memory of a fit beside the size of its data",
        add_memory,
        "--ranks 2",
        reads_data=False,
    ),
    "scaling": Benchmark(
        "parallel.scaling", "task costs of a fit, and what many ranks would make of it", add_scaling
    ),
    "consensus": Benchmark(
        "consensus.consensus",
        "time, memory and NMI of the consensus functions",
        add_consensus,
        "--sizes 10000 --methods plain-mcla mcla",
        reads_data=False,
    ),
}


def add_options(parser: Parser) -> None:
    """Add one subcommand per benchmark."""
    names = parser.add_subparsers(title="benchmarks", metavar="NAME", dest="benchmark", required=True)
    for name, benchmark in BENCHMARKS.items():
        summary, example = benchmark.summary, f"  intarsia bench {name} {benchmark.example}"
        options = names.add_parser(name, help=summary, description=summary, example=example)
        if benchmark.reads_data:
            add_data_folder(options)
        add_common_options(options)
        benchmark.add_options(options)


def run(args: argparse.Namespace) -> int:
    """Run the benchmark that was named with the options of its own."""
    check_out_dir(getattr(args, "out", None))
    module = import_module(f"intarsia.bench.{BENCHMARKS[args.benchmark].module}")
    module.run(**{name: getattr(args, name) for name in signature(module.run).parameters})
    return 0

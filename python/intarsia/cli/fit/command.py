"""`intarsia fit`: its methods and options. The work itself is in `run`."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from intarsia.base.registry import BASES
from intarsia.cli.core.files import STANDARD_OUTPUT, add_data_options, check_inputs, check_out_dir
from intarsia.cli.core.parser import (
    Parser,
    UsageError,
    clusters,
    non_negative_float,
    non_negative_int,
    positive_float,
    positive_int,
    shard,
)
from intarsia.examce.criteria import CRITERIA, Setting

DESCRIPTION = "Cluster a data set and report what the clusters cost."
EXAMPLE = """\
  intarsia fit demo:gauss100 -k 100 --out result
  intarsia fit iris.csv -k 3 --label-column class --scale standard
  intarsia fit points.csv -k 20 --effort high --min-size 10 --max-size 80
  intarsia fit points.npy -k 50 --method random-swap --swaps 5000 --json"""

#: Each method by name, and the module beside this one whose `fit_by_method` runs it.
FIT_METHODS = {"examce": "examce", **dict.fromkeys(BASES, "base")}
DEFAULT_METHOD = "examce"
RANDOM = tuple(name for name, row in BASES.items() if row.is_random)


def _having(option: str) -> tuple[str, ...]:
    return tuple(name for name, row in BASES.items() if option in row.options)


EXAMCE = ("examce",)
SEEDED = _having("init")
EFFORTS = ("fast", "default", "high", "paper")
#: Base runs that only some criteria have, and which.
OWN_BASES = {
    base: tuple(name for name, row in CRITERIA.items() if base in row.bases)
    for base in sorted({base for row in CRITERIA.values() for base in row.bases})
}
_OWN_BASES_HELP = "; ".join(f"for {', '.join(owners)}: {base}" for base, owners in OWN_BASES.items())
_BASE_HELP = f"{', '.join(BASES)}; {_OWN_BASES_HELP} (kmeans; greedy for pmedian)"
DEFAULT_CRITERION = "mssc"
_CRITERION_HELP = "; ".join(f"{name}: {row.summary}" for name, row in CRITERIA.items())
SOLVERS = ("auto", "highs", "lp")
INITS = ("random", "k-means++")


@dataclass(frozen=True)
class Option:
    """One option: its flag, the methods that take it, what it is when not given, and argparse's details.

    `instead` ends the refusal for another method, which stands in it as {method}. An option that `decides`
    may change the result.
    """

    flag: str
    owners: tuple[str, ...]
    default: Any
    details: dict[str, Any] = field(default_factory=dict)
    instead: str = ", not for {method}"
    decides: bool = True

    @property
    def name(self) -> str:
        """The attribute of the parsed arguments."""
        return self.flag.lstrip("-").replace("-", "_")

    def refusal(self, method: str) -> str:
        """Say why a method does not take it."""
        return f"{self.flag} is for {', '.join(self.owners)}{self.instead.format(method=method)}"


def _number(read: Any, metavar: str, help: str) -> dict[str, Any]:
    return {"type": read, "metavar": metavar, "help": help}


EXAMCE_OPTIONS = (
    Option(
        "--criterion",
        EXAMCE,
        DEFAULT_CRITERION,
        {"choices": tuple(CRITERIA), "metavar": "C", "help": f"{_CRITERION_HELP} ({DEFAULT_CRITERION})"},
    ),
    Option("--effort", EXAMCE, "default", {"choices": EFFORTS, "help": "how long to search (default)"}),
    Option(
        "--base-runs",
        EXAMCE,
        None,
        _number(positive_int, "N", "base runs before the search (none; effort paper: 150)"),
        "; {method} takes --runs",
    ),
    Option("--base", EXAMCE, None, {"choices": (*BASES, *OWN_BASES), "metavar": "B", "help": _BASE_HELP}),
    Option("--solver", EXAMCE, "auto", {"choices": SOLVERS, "help": "of the cover (auto)"}),
    Option("--tau", EXAMCE, 10, _number(non_negative_int, "N", "points by which clusters grow, shrink (10)")),
    Option(
        "--min-size",
        EXAMCE,
        None,
        _number(positive_int, "N", "least points in a cluster (1; 0.4 n / k for entropy)"),
    ),
    Option("--max-size", EXAMCE, None, _number(positive_int, "N", "most points in a cluster (any)")),
    Option(
        "--checkpoint",
        EXAMCE,
        None,
        {"type": Path, "metavar": "DIR", "help": "keep checkpoints there"},
        decides=False,
    ),
    Option(
        "--checkpoint-every",
        EXAMCE,
        60.0,
        _number(positive_float, "S", "seconds between them (60)"),
        decides=False,
    ),
    Option(
        "--resume",
        EXAMCE,
        False,
        {"action": "store_true", "help": "go on from the last checkpoint"},
        decides=False,
    ),
    Option(
        "--shard",
        EXAMCE,
        None,
        _number(shard, "I/N", "make this share of the search only"),
        decides=False,
    ),
)

BASE_OPTIONS = (
    Option(
        "--runs",
        RANDOM,
        None,
        _number(positive_int, "R", "runs, of which the best counts (10; 1 of spectral)"),
        "; examce takes --base-runs",
    ),
    Option(
        "--sigma",
        _having("sigma"),
        None,
        _number(positive_float, "X", "width of the affinity of spectral (from the data)"),
    ),
    Option(
        "--init",
        SEEDED,
        None,
        {"choices": INITS, "help": "starting centres (random; k-means++ for fcm)"},
    ),
    Option(
        "--swaps",
        _having("n_swaps"),
        None,
        _number(positive_int, "N", "swaps, or shakes of vns (1000)"),
    ),
    Option(
        "--max-iter",
        _having("max_iter"),
        None,
        _number(positive_int, "N", "most iterations of a run (1000; 100 for gmm, 300 for fcm)"),
    ),
    Option("--cooling", _having("cooling"), None, _number(positive_float, "X", "factor of each step (0.91)")),
    Option("--t-min", _having("t_min"), None, _number(positive_float, "T", "last (millionth of the first)")),
    Option(
        "--tol",
        _having("tol"),
        None,
        _number(non_negative_float, "X", "when to stop (0: at convergence; 0.001 for gmm, 0.0001 for fcm)"),
    ),
    Option(
        "--float32",
        RANDOM,
        False,
        {"action": "store_true", "help": "compute in single precision"},
        "; {method} computes in double precision",
    ),
)


def add_options(parser: Parser) -> None:
    """Add the options of `fit`."""
    add_data = add_data_options(parser)
    add_data("--weights", type=Path, metavar="FILE", help="one weight per point, in one column")
    _add_method(parser)
    _add_method_options(parser)
    _add_output(parser)


def check(args: argparse.Namespace) -> None:
    """Refuse what cannot be, and fill in what was not given."""
    complete_options(args)
    check_outputs(args)
    check_inputs([args.data], args.data_dir)
    check_inputs([args.weights], named=False)
    check_out_dir(args.checkpoint)
    check_out_dir(args.log_dir)
    args.shards = None


def run(args: argparse.Namespace) -> int:
    """Cluster, report, write."""
    return fit_with(args)


def fit_with(args: argparse.Namespace) -> int:
    """Cluster as completed options say."""
    from intarsia.cli.fit.run import fit_and_report  # imported here: help must not wait for scikit-learn

    args.deciding = deciding_options(args)
    return fit_and_report(args, FIT_METHODS[args.method])


def deciding_options(args: argparse.Namespace) -> dict[str, Any]:
    """Return those options of the method that may change its result."""
    return {
        **{
            option.name: getattr(args, option.name)
            for option in (*EXAMCE_OPTIONS, *BASE_OPTIONS)
            if option.decides and args.method in option.owners
        },
        **({"parameters": args.parameters} if args.parameters else {}),
    }


def complete_options(args: argparse.Namespace) -> None:
    """Refuse options of other methods, then fill in what was not given."""
    for option in (*EXAMCE_OPTIONS, *BASE_OPTIONS):
        given = hasattr(args, option.name)
        if given and args.method not in option.owners:
            raise UsageError(option.refusal(args.method))
        if not given:
            setattr(args, option.name, option.default)
    args.parameters = _parameters_of_criterion(args)
    if args.method in RANDOM and args.runs is None:
        args.runs = BASES[args.method].n_runs
    _check_together(args)


def _settings() -> dict[str, tuple[str, ...]]:
    """Return the names of all settings of criteria, each with the criteria that have it."""
    names = dict.fromkeys(setting.name for row in CRITERIA.values() for setting in row.settings)
    return {
        name: tuple(c for c, row in CRITERIA.items() if any(s.name == name for s in row.settings))
        for name in names
    }


def _parameters_of_criterion(args: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that were given; those of other criteria are refused."""
    given = {name: getattr(args, name) for name in _settings() if hasattr(args, name)}
    for name in given:
        owners = _settings()[name]
        if args.method not in EXAMCE or args.criterion not in owners:
            flag = next(s.option for s in CRITERIA[owners[0]].settings if s.name == name)
            here = args.criterion if args.method in EXAMCE else args.method
            raise UsageError(f"{flag} is for --criterion {', '.join(owners)}, not for {here}")
    return given


def check_outputs(args: argparse.Namespace) -> None:
    """`--out -` is `--labels -`: standard output has room for labels alone."""
    if str(args.out) == STANDARD_OUTPUT and args.labels is not None:
        raise UsageError("--out - and --labels exclude each other")
    if str(args.out) == STANDARD_OUTPUT:
        args.out, args.labels = None, args.out
    if args.json and str(args.labels) == STANDARD_OUTPUT:
        raise UsageError("--json and labels on standard output exclude each other")
    if args.shard is not None and args.labels is not None:
        raise UsageError("--shard makes no labels yet: intarsia merge does")
    if args.shard is not None and args.data == "-":
        raise UsageError("--shard needs data in a file: intarsia merge reads them again")


def _check_clusters(args: argparse.Namespace) -> None:
    """Refuse a range of numbers of clusters, or none, where it is not found out."""
    finder = CRITERIA[args.criterion] if args.method in EXAMCE else BASES[args.method]
    if finder.finds_k or isinstance(args.clusters, int):
        return
    if args.clusters is None:
        raise UsageError("needs -k K, the number of clusters")
    able = [f"--criterion {name}" for name, row in CRITERIA.items() if row.finds_k]
    able += [f"--method {name}" for name, row in BASES.items() if row.finds_k]
    what = f"-k {args.clusters[0]}-{args.clusters[1]}: one number is needed"
    raise UsageError(f"{what}; a range is for {', '.join(able)}" if able else what)


def _check_base(args: argparse.Namespace) -> None:
    """Refuse base runs that another criterion has."""
    owners = OWN_BASES.get(args.base)
    if owners is not None and args.criterion not in owners:
        raise UsageError(
            f"--base {args.base} is for --criterion {', '.join(owners)}, not for {args.criterion}"
        )


def _check_together(args: argparse.Namespace) -> None:
    _check_clusters(args)
    _check_base(args)
    if args.parameters.get("metric") == "precomputed" and args.scale != "none":
        raise UsageError("--scale is for points, not for the distances of --precomputed")
    if args.resume and args.checkpoint is None:
        raise UsageError("--resume needs --checkpoint DIR")
    if args.shard is not None and args.out is None:
        raise UsageError("--shard needs --out DIR")
    if args.shard is not None and (args.checkpoint is not None or args.time_limit is not None):
        raise UsageError("--shard goes without --checkpoint and --time-limit")


def _add_method(parser: Parser) -> None:
    group = parser.add_argument_group("method (defaults in brackets)")
    add = group.add_argument
    add(
        "-k",
        "--clusters",
        type=clusters,
        metavar="K",
        help="number of clusters; A-B or none where it is found out",
    )
    add(
        "--method",
        choices=tuple(FIT_METHODS),
        default=DEFAULT_METHOD,
        metavar="M",
        help=f"{', '.join(FIT_METHODS)} ({DEFAULT_METHOD})",
    )
    add("--seed", type=non_negative_int, default=0, metavar="S", help="random seed (0)")
    add("--threads", type=positive_int, metavar="T", help="threads (all cores)")
    add("--time-limit", type=positive_float, metavar="S", help="seconds, reading included; may not repeat")


def _add_output(parser: Parser) -> None:
    group = parser.add_argument_group("output")
    group.add_argument("--out", type=Path, metavar="DIR", help="write labels, centers, model, result there")
    group.add_argument(
        "--labels", type=Path, metavar="FILE", help="write the labels alone; - to standard output"
    )
    group.add_argument("--force", action="store_true", help="overwrite a result of other settings there")
    group.add_argument("--json", action="store_true", help="print one JSON object, nothing else")
    group.add_argument("--log-dir", type=Path, metavar="DIR", help="a log for each rank: its tasks and times")
    group.add_argument("--quiet", action="store_true", help="no progress bar and no summary")


def _add_method_options(parser: Parser) -> None:
    """Add a group for each kind of method; an option that is not given leaves no trace."""
    for owners, options in (("examce", EXAMCE_OPTIONS), ("the other methods", BASE_OPTIONS)):
        group = parser.add_argument_group(f"options of {owners}")
        for option in options:
            group.add_argument(option.flag, default=argparse.SUPPRESS, **option.details)
    _add_settings(parser)


def _add_settings(parser: Parser) -> None:
    """Add a group for each criterion that has settings; one that several share stands with the first."""
    known: set[str] = set()
    for name, row in CRITERIA.items():
        new = [setting for setting in row.settings if setting.option not in known]
        if new:
            group = parser.add_argument_group(f"options of --criterion {name}")
        # of options for one setting only one can be meant
        names = dict.fromkeys(setting.name for setting in new)
        one_of = {name: group.add_mutually_exclusive_group() for name in names}
        for setting in new:
            known.add(setting.option)
            one_of[setting.name].add_argument(setting.option, **_details(setting))


def _details(setting: Setting) -> dict[str, Any]:
    details: dict[str, Any] = {"dest": setting.name, "default": argparse.SUPPRESS, "help": setting.help}
    if setting.value is not None:
        return {**details, "action": "store_const", "const": setting.value}
    metavar = setting.metavar or setting.name[0].upper()
    return {**details, "type": setting.read, "choices": setting.choices, "metavar": metavar}

"""`intarsia fit` by EXAMCE, the default: the bar while it runs, the facts and lines of its result."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import Any

from intarsia.cli.core.files import NAMES as READING
from intarsia.cli.fit.run import DEFAULT_CRITERION, STOPPED, FitOutcome, FitTask, clusters_text
from intarsia.examce.criteria import CRITERIA, find_criterion
from intarsia.examce.fitting import ExamceFit
from intarsia.examce.state import ExamceResult
from intarsia.report.terminal import Lines, StageBar, counted, stage_bar

_SAME = 1e-12  # what is nearer only adds up in another order

_REQUEST = (
    "data", *READING, "weights", "scale", "data_dir", "clusters", "method", "seed", "float32", "criterion",
    "parameters", "effort", "base_runs", "base", "solver", "tau", "min_size", "max_size", "time_limit",
)  # fmt: skip


def fit_by_method(task: FitTask) -> FitOutcome:
    """Run EXAMCE; after Ctrl-C the outcome is the best so far and says so."""
    args = task.args
    with stage_bar(f"examce, {clusters_text(args)}", quiet=args.quiet) as show:
        model = _estimator(task, show)
        model.gone, show.now = task.seconds_taken(), model.progress
        if args.signals is not None:
            args.signals.save = model.save_checkpoint
        try:
            if args.shards is None:
                model.fit(task.X, sample_weight=task.weights)
            else:
                model.fit_from_shards(task.X, args.shards, sample_weight=task.weights)
        except KeyboardInterrupt:
            if not hasattr(model, "result_"):  # nothing so far
                raise
    result = model.result_
    return FitOutcome(
        labels=model.labels_,  # not the result's: points of weight 0 have labels here only
        centers=getattr(model, "cluster_centers_", None),
        cost=result.cost,
        facts=_facts(args, model),
        lines=(*_criterion_lines(args, model), *_lines(args, result)),
        interrupted=result.status == "interrupted",
        rule=args.criterion,
        rule_facts=_rule_facts(args),
    )


def _rule_facts(args: argparse.Namespace) -> dict[str, Any]:
    """Return the criterion's parameters, and what `predict` should say of labels that it would give."""
    remarks = []
    if args.criterion == "bic":
        remarks.append("bic: points join the nearest mean, whatever the sizes and spreads of the clusters")
    if args.min_size is not None or args.max_size is not None:
        remarks.append("points join the nearest centre: size limits of the fit are not kept")
    facts = {"parameters": args.parameters, "remarks": remarks}
    return {name: value for name, value in facts.items() if value}


def make_shard(task: FitTask) -> Path:
    """Make one share of the base runs and return the file it is in."""
    args, (index, n_shards) = task.args, task.args.shard
    title = f"examce, {clusters_text(args)}, shard {index} of {n_shards}"
    with stage_bar(title, quiet=args.quiet) as show:
        model = _estimator(task, show)
        show.now = model.progress
        return model.fit_shard(
            task.X, args.out, index, n_shards, sample_weight=task.weights, request=request_of(args)
        )


def request_of(args: argparse.Namespace) -> dict[str, Any]:
    """Return what was asked, in a form that `intarsia merge` can ask again from any folder."""
    asked = {name: getattr(args, name) for name in _REQUEST}
    for name in ("weights", "data_dir"):
        asked[name] = None if asked[name] is None else str(asked[name].resolve())
    if Path(args.data).exists():
        asked["data"] = str(Path(args.data).resolve())
    return asked


def _estimator(task: FitTask, show: StageBar) -> ExamceFit:
    args = task.args
    return ExamceFit(
        args.clusters,
        criterion=find_criterion(args.criterion, **args.parameters) if args.parameters else args.criterion,
        effort=args.effort,
        time_limit=args.time_limit,
        base=args.base,
        n_base_runs=args.base_runs,
        solver=args.solver,
        tau=args.tau,
        min_size=args.min_size,
        max_size=args.max_size,
        random_state=args.seed,
        n_threads=args.threads,
        executor=task.executor,
        callback=show,
        checkpoint=args.checkpoint,
        checkpoint_every=args.checkpoint_every,
        resume=args.resume,
    )


def _facts(args: argparse.Namespace, model: ExamceFit) -> dict[str, Any]:
    asked = ("criterion", "effort", "solver", "tau", "min_size", "max_size", "time_limit")
    found = ("cost", "best_base_cost", "pool_bound", "cover_status", "cover_gap")
    course = ("status", "n_base_runs", "n_rounds", "n_columns", "history")
    criterion = find_criterion(model.criterion)
    own = {"n_clusters": int(model.labels_.max()) + 1} if not isinstance(args.clusters, int) else {}
    return {
        **{name: getattr(args, name) for name in asked},
        "parameters": criterion.parameters(),
        "base": _base(args),
        **own,
        **_told(model),
        **{name: getattr(model.result_, name) for name in (*found, *course)},
    }


def _told(model: ExamceFit) -> dict[str, Any]:
    """Return what the criterion tells of its answer; centres have a file of their own."""
    told = model.result_.attributes.items()
    return {name.removesuffix("_"): value for name, value in told if name != "cluster_centers_"}


def _base(args: argparse.Namespace) -> str:
    return str(args.base or CRITERIA[args.criterion].load().bases[0])


def _lines(args: argparse.Namespace, result: ExamceResult) -> Lines:
    how = f"effort {args.effort}, {counted(result.n_base_runs, 'base run')} of {_base(args)}"
    rounds = counted(result.n_rounds, "round")
    lines = [
        ("method", f"examce, {clusters_text(args)}, {how}, seed {args.seed}"),
        ("cost", f"{result.cost:.10g}, {_gain(result)}"),
        ("cover", f"{rounds}, {counted(result.n_columns, 'column')}, {_proof(result)}"),
    ]
    if result.status in STOPPED:
        lines.append(("status", STOPPED[result.status]))
    return tuple(lines)


def _criterion_lines(args: argparse.Namespace, model: ExamceFit) -> Lines:
    if args.criterion == DEFAULT_CRITERION:
        return ()
    settings = find_criterion(model.criterion).parameters()
    words = [f"{name.replace('_', ' ')} {value}" for name, value in settings.items() if value is not None]
    found = [] if isinstance(args.clusters, int) else [f"k = {int(model.labels_.max()) + 1} found"]
    scores = [(name, f"{value:.10g}") for name, value in _told(model).items() if isinstance(value, float)]
    return (("criterion", ", ".join([args.criterion, *words, *found])), *scores)


def _gain(result: ExamceResult) -> str:
    base = result.best_base_cost
    if not math.isfinite(base):
        return "no base run to compare with"
    if not base - result.cost > _SAME * abs(base):
        return "the same as the best base run"
    if base == 0:
        return "below the best base run (0)"
    return f"{100 * (base - result.cost) / abs(base):.3g} % below the best base run ({base:.10g})"


def _proof(result: ExamceResult) -> str:
    # of the cover, over its pool: nothing here is a proof about the clustering problem
    if result.cover_status == "optimal":
        return "the last proved optimal over its pool"
    if math.isfinite(result.cover_gap):
        return (
            f"the last within {100 * result.cover_gap:.2g} % of the bound over its pool, not proved optimal"
        )
    return "none with a bound"

"""`intarsia study NAME`: run a paper's experiments again, published figures beside ours."""

from __future__ import annotations

import argparse
from types import ModuleType

from intarsia.cli.core.files import check_out_dir
from intarsia.cli.core.parser import Parser
from intarsia.cli.study import annealing, boosting, examce, multiobjective, pmedian, soft

#: Each has SUMMARY, EXAMPLE, `add_options(parser)` and `run(args, executor)`.
PAPERS: dict[str, ModuleType] = {
    "examce": examce,
    "boosting": boosting,
    "soft": soft,
    "multiobjective": multiobjective,
    "annealing": annealing,
    "pmedian": pmedian,
}

DESCRIPTION = "Run a paper's experiments again and print its figures beside ours."
EXAMPLE = examce.EXAMPLE


def add_options(parser: Parser) -> None:
    """Add one subcommand per paper."""
    papers = parser.add_subparsers(title="papers", metavar="NAME", dest="paper", required=True)
    for name, paper in PAPERS.items():
        texts = {"help": paper.SUMMARY, "description": paper.SUMMARY, "example": paper.EXAMPLE}
        paper.add_options(papers.add_parser(name, **texts))


def run(args: argparse.Namespace) -> int:
    """Run the study of the paper that was named, once its results have somewhere to go."""
    from intarsia.executor import make_executor, on_rank_zero  # here: help must not wait for NumPy

    executor = make_executor(args.threads)
    on_rank_zero(executor, lambda: check_out_dir(args.out))
    PAPERS[args.paper].run(args, executor)
    return 0

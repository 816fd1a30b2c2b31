"""`intarsia doctor`: what is installed, what this machine offers, and whether it works."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from intarsia.cli.lines import print_lines
from intarsia.cli.parser import Parser

if TYPE_CHECKING:
    from intarsia.cli.doctor_checks import Finding

EXAMPLE = """\
  intarsia doctor
  intarsia doctor --json"""


def add_parser(commands: Any) -> Parser:
    """Add `doctor` to the commands."""
    parser: Parser = commands.add_parser(
        "doctor",
        help="show versions, threads, SIMD level, and check that all works",
        description="Show versions, threads and SIMD level, and check that all works.",
        example=EXAMPLE,
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object, nothing else")
    return parser


def run(args: argparse.Namespace) -> int:
    """Print the findings; 1 when something required is broken."""
    from intarsia.cli.doctor_checks import all_findings  # imported here: help must not wait for NumPy

    findings = all_findings()
    healthy = all(finding.ok or not finding.required for finding in findings)
    if args.json:
        print(json.dumps({"ok": healthy, **{finding.name: finding.as_dict() for finding in findings}}))
    else:
        print_lines([_line(finding) for finding in findings])
    return 0 if healthy else 1


def _line(finding: Finding) -> tuple[str, str]:
    verdict = "ok" if finding.ok else "BROKEN" if finding.required else "none"
    return finding.name, f"{verdict:<8}{finding.text}"

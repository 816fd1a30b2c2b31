"""`intarsia doctor`: what is installed, what this machine offers, and whether it works."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from intarsia.cli.core.parser import Parser
from intarsia.report.terminal import print_lines

if TYPE_CHECKING:
    from intarsia.cli.doctor.checks import Finding

DESCRIPTION = "Show versions, threads and SIMD level, and check that all works."
EXAMPLE = """\
  intarsia doctor
  intarsia doctor --json"""


def add_options(parser: Parser) -> None:
    """Add the options of `doctor`."""
    parser.add_argument("--json", action="store_true", help="print one JSON object, nothing else")


def run(args: argparse.Namespace) -> int:
    """Print the findings; 1 when something required is broken."""
    from intarsia.cli.doctor.checks import all_findings  # imported here: help must not wait for NumPy

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

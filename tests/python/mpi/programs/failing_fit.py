"""`intarsia fit` whose rank FAILING gets into trouble of some KIND while the others are busy."""

import os
import signal
import sys
import time

from intarsia.base import runs
from intarsia.cli.core.main import main
from intarsia.launch import launched_rank

compute = runs._run


def in_trouble(task, *shared):
    if launched_rank() != int(os.environ["FAILING"]):
        time.sleep(30)
    print(f"failing at {time.monotonic()}", file=sys.stderr, flush=True)
    if os.environ["KIND"] == "interrupt":
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(30)
    if os.environ["KIND"] == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    raise RuntimeError("the lamp\nwent out")


runs._run = in_trouble
sys.exit(main(["fit", "demo:iris", "-k", "3", "--method", "hk-means", *sys.argv[1:]]))

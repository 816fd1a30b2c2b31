"""`intarsia fit` whose rank HEARS gets the signal NUMBER as soon as it can hear one, before they meet."""

import os
import signal
import sys

from intarsia.cli.core import main, signals
from intarsia.launch import launched_rank


class Watch(signals.SignalWatch):
    """Hears its first signal at once."""

    def __init__(self, *words):
        super().__init__(*words)
        if os.environ["HEARS"] in ("all", str(launched_rank())):
            signal.raise_signal(int(os.environ["NUMBER"]))


signals.SignalWatch = Watch
sys.exit(main.main(["fit", "demo:iris", "-k", "3", *sys.argv[1:]]))

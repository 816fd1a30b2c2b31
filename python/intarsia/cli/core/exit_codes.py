"""The exit codes of the `intarsia` command."""

DONE = 0
BUG = 1
BAD_INPUT = 2
STOPPED = 75  # by SIGTERM or SIGUSR1, with a checkpoint: run again with --resume
INTERRUPTED = 130
BROKEN_PIPE = 141

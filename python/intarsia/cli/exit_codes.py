"""The exit codes of the `intarsia` command."""

DONE = 0
BUG = 1
BAD_INPUT = 2
INTERRUPTED = 130
BROKEN_PIPE = 141

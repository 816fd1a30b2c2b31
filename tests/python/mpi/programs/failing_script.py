"""A user's own script, started without `-m mpi4py`, in which one rank raises."""

import time

from intarsia.executor import make_executor

executor = make_executor(1)
if executor.rank == 1:
    raise KeyError("only here")
executor.map(lambda task, shared: time.sleep(0.1), range(4), None)

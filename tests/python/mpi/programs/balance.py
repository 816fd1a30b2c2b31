"""One long task among many short ones; prints who computed each."""

import json
import time

from intarsia.executor import make_executor

executor = make_executor(1)


def nap(task, shared):
    time.sleep(1.5 if task == 0 else 0.05)
    return executor.rank


ranks = executor.map(nap, range(31), None)
if executor.rank == 0:
    print(json.dumps(ranks))

"""One supervised pool of processes for all work that consists of many jobs: games, searches, replays.

`Pool` and `run` use the cores of this machine and return each result as soon as it is ready. `mapped` returns
results in order, and `bordeaux.jobs.cluster` runs the same jobs on a Dask cluster. A job is one argument of a
function; both, and the result, must be picklable. An exception, or the end of a process, is contained: other
jobs continue. Callers leave out finished jobs.

The pool is our own because no library has everything that it needs. `concurrent.futures` and loky give up all
running jobs when one process dies. Pebble replaces the process but leaves its children running. None ends its
processes when the caller is killed, or reports which part of a job was running.
"""

from bordeaux.jobs.pool import Death, JobOutcome, Pool, mapped, run
from bordeaux.jobs.process import note, stopped, tell

__all__ = ["Death", "JobOutcome", "Pool", "mapped", "note", "run", "stopped", "tell"]

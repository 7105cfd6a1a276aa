"""One supervised pool of processes for all that comes in many jobs: games, searches, recorded games.

`Pool` and `run` work on the cores of this machine and give what comes of each job as soon as it is there,
`mapped` gives answers in order, and `bordeaux.jobs.cluster` does the same on a Dask cluster. A job
is one argument of a function; both, and the answer, must be picklable. What raises, and what ends
its process, is contained: other jobs go on. What is done already is for callers to know, who leave it out.

The pool is our own because no library holds all that is asked of it. `concurrent.futures` and loky give
up every job under way when one process dies. Pebble replaces the process but leaves what it had started.
None ends its processes when the caller is killed, or tells which part of a job was under way.
"""

from bordeaux.jobs.line import note, stopped, tell
from bordeaux.jobs.mapped import mapped
from bordeaux.jobs.pool import Death, Outcome, Pool, run

__all__ = ["Death", "Outcome", "Pool", "mapped", "note", "run", "stopped", "tell"]

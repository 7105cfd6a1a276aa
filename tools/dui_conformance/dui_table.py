"""All checks of an engine, and the table of passed and failed checks."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple

import dui_checks as c
from dui_talk import Early, Failed, Talk

USAGE = """Does an engine speak DUI? This folder asks it, and prints a table of what passed and what failed.

    python dui_conformance COMMAND [ARGUMENT ...]

It needs nothing but Python 3.11: copy it to where the engine is. COMMAND is started several times. Exit
code 0: all passed; 1: something failed; 2: the command cannot be started. What an engine must do is told in
``docs/protocol.md``; a check that is marked ``should`` counts as a warning, not as a failure."""


class Check(NamedTuple):
    """One check: its function, whether it does the handshake itself, and whether it is required."""

    run: Callable[[Talk], None]
    shakes: bool = False
    must: bool = True


CHECKS = (
    *(Check(check, shakes=True) for check in (c.handshake, c.version, c.options)),
    *map(
        Check,
        (c.movement, c.coasts, c.retreats, c.builds, c.disbands, c.several_powers, c.movetime, c.limits),
    ),
    *map(Check, (c.information, c.infinite, c.stop_early, c.ready_in_search, c.unknown, c.bad_lines)),
    *(Check(check, must=False) for check in (c.bad_go, c.go_first)),
    *map(
        Check,
        (
            c.long_lines,
            c.spaces,
            c.press,
            c.newgame,
            c.same_again,
            c.leave,
            c.leave_in_search,
            c.end_of_input,
        ),
    ),
)


def results(command: list[str]) -> Iterator[tuple[Check, str]]:
    """Each check with the reason of its failure, "" if it passed."""
    for check in CHECKS:
        why = ""
        with Talk(command) as talk:
            try:
                if not check.shakes:
                    talk.shake_hands()
                check.run(talk)
            except (Failed, Early) as failure:
                why = str(failure)
        yield check, why


def main(words: list[str]) -> int:
    """Check the engine of a command line and print the table; returns the exit code."""
    if not words or words[0] in ("-h", "--help"):
        print(USAGE)
        return 0 if words else 2
    if shutil.which(words[0]) is None:
        print(f"conformance: no program {words[0]!r} that can be run", file=sys.stderr)
        return 2
    failed = warned = 0
    print(f"DUI version 1: {' '.join(words)}")
    for check, why in results(words):
        description = (check.run.__doc__ or "").strip().replace("\n", " ")
        mark = "passed" if not why else "FAILED" if check.must else "should"
        print(f"{mark:<7} {check.run.__name__:<16} {description}", flush=True)
        if why:
            print(f"        {'':<16} {why}")
        failed += bool(why) and check.must
        warned += bool(why) and not check.must
    print(f"{len(CHECKS) - failed - warned} passed, {failed} failed, {warned} to be wished for")
    return 1 if failed else 0

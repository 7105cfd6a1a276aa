"""Options for taking over a power on a DAIDE server: the power and its passcode."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

from bordeaux.board.map import Map
from bordeaux.cli.options import whole

__all__ = ["claim_of", "claim_options"]

Command = TypeVar("Command", bound=Callable[..., Any])

LEAST_PASSCODE, MOST_PASSCODE = -8192, 8191
TOKEN = 3
VARIABLE = "BORDEAUX_PASSCODE"
"""The variable for the passcode, because other users can read the command line."""


def claim_options(command: Command) -> Command:
    """Add --power P and --passcode N, for `claim_of`."""
    add_passcode = click.option(
        "--passcode",
        type=whole(LEAST_PASSCODE, MOST_PASSCODE),
        metavar="N",
        help=f"The passcode of that power; or put it into {VARIABLE}.",
    )
    add_power = click.option("--power", metavar="P", help="Take over power P, like FRA; with --passcode.")
    return add_power(add_passcode(command))


def claim_of(power: str | None, passcode: int | None) -> tuple[str, int] | None:
    """The DAIDE token of the power and its passcode; None if neither is given.

    Three letters are taken unchanged, a longer name is one of the standard map. Raises UsageError if only one
    of the two is given, MapError for an unknown name.
    """
    if power is not None and passcode is None:
        passcode = _passcode_of_surroundings()
    if power is None or passcode is None:
        if power is None and passcode is None:
            return None
        raise click.UsageError("--power and --passcode belong together; give both or neither")
    name = power.strip().upper()
    standard = Map.standard()
    return name if len(name) == TOKEN and name.isalnum() else standard.tags[standard.power(name)], passcode


def _passcode_of_surroundings() -> int | None:
    """The passcode in the environment, if there is one. Raises UsageError for an invalid one."""
    text = os.environ.get(VARIABLE)
    if text is None:
        return None
    digits = text.strip().removeprefix("-")
    number = int(text) if digits.isascii() and digits.isdigit() and len(digits) <= 4 else None
    if number is None or not LEAST_PASSCODE <= number <= MOST_PASSCODE:
        raise click.UsageError(f"{VARIABLE} must be a number from {LEAST_PASSCODE} to {MOST_PASSCODE}")
    return number

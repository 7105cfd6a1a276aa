"""Taking a power over on a DAIDE server: which one, and its passcode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from bordeaux.board.map import Map
from bordeaux.cli.options import whole

__all__ = ["claim_of", "claim_options"]

Command = TypeVar("Command", bound=Callable[..., Any])

MOST_PASSCODE = 8191
TOKEN = 3


def claim_options(command: Command) -> Command:
    """Add --power P and --passcode N, for `claim_of`."""
    add_passcode = click.option(
        "--passcode", type=whole(-8192, MOST_PASSCODE), metavar="N", help="The passcode of that power."
    )
    add_power = click.option("--power", metavar="P", help="Take over power P, like FRA; with --passcode.")
    return add_power(add_passcode(command))


def claim_of(power: str | None, passcode: int | None) -> tuple[str, int] | None:
    """The DAIDE token of the power and its passcode; None when neither is given.

    Three letters stand as they are, a longer name is one of the standard map. Raises UsageError when only
    one of the two is given, MapError for a name that is none.
    """
    if power is None or passcode is None:
        if power is None and passcode is None:
            return None
        raise click.UsageError("--power and --passcode belong together; give both or neither")
    name = power.strip().upper()
    standard = Map.standard()
    return name if len(name) == TOKEN and name.isalnum() else standard.tags[standard.power(name)], passcode

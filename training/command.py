"""The frame of the commands that are run as ``python -m training.NAME``.

They are click commands, and read numbers as those of `bordeaux` do (`bordeaux.cli.options`). The settings of
a plan, a dataclass whose fields have ranges (`bordeaux.search.config.ranged`), become options by
`plan_options`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import Field, fields
from typing import Any, TypeVar

import click

from bordeaux.board.errors import BordeauxError
from bordeaux.cli.options import MOST_SEED, between, whole
from bordeaux.cli.program import Script
from bordeaux.search.config import out_of_range

Function = TypeVar("Function", bound=Callable[..., Any])


class Several(click.Option):
    """An option that takes one value or more: ``--games A B`` is ``--games A --games B``."""

    def __init__(self, *args: Any, **rest: Any) -> None:
        super().__init__(*args, **{**rest, "multiple": True})


class Command(Script):
    """A command of training. Unlike `Script` it returns its exit code: 0, or 2 for bad input with one line on
    standard error."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, with one flag for each value of a `Several`."""
        flags = {flag for option in self.params if isinstance(option, Several) for flag in option.opts}
        return super().parse_args(ctx, list(_spread(args, flags)))

    def main(self, *args: Any, **rest: Any) -> Any:
        """Run the command; returns its exit code."""
        try:
            return super().main(*args, **rest)
        except SystemExit as end:
            return end.code


def _spread(words: Iterable[str], several: Collection[str]) -> Iterator[str]:
    flag = ""
    bare = False
    for word in words:
        if word.startswith("-") and word != "-":
            if bare:
                yield flag
            flag, bare = (word, True) if word in several else ("", False)
            if not flag:
                yield word
        else:
            if flag:
                yield flag
                bare = False
            yield word
    if bare:
        yield flag


def summary_of(docstring: str | None) -> str:
    """The first line of a module's docstring, for the help of its command."""
    return (docstring or "").partition("\n")[0]


def seed_option(default: int) -> Callable[[Function], Function]:
    """Add --seed N."""
    return click.option(
        "--seed",
        type=whole(0, MOST_SEED),
        default=default,
        metavar="N",
        help="Seed of all random choices, 0 or more.",
    )


def plan_options(
    plan: Any, prefix: str = "", *, without: Collection[str] = (), dashed: bool = False, unset: bool = False
) -> Callable[[Function], Function]:
    """Add an option ``--PREFIX.NAME`` for every field of a plan that has a purpose, with its range in the
    help. The command gets it as ``PREFIX__NAME``. With `unset` an option that is not given is None, and the
    help alone has the default."""

    def add(function: Function) -> Function:
        for part in reversed(fields(plan)):
            if "what" in part.metadata and part.name not in without:
                default = getattr(plan, part.name)
                flag = part.name.replace("_", "-") if dashed else part.name
                function = click.option(
                    f"--{prefix}.{flag}" if prefix else f"--{flag}",
                    f"{prefix}__{part.name}" if prefix else part.name,
                    type=_reader(part),
                    default=None if unset else default,
                    metavar="N" if "low" in part.metadata else "NAME",
                    help=_purpose(part) + (f"  [default: {default}]" if unset and default != "" else ""),
                )(function)
        return function

    return add


def check_plan(plan: Any) -> None:
    """Raises BordeauxError, with the option, for a setting of a plan out of its range."""
    for name, value, low, high in out_of_range(plan):
        raise BordeauxError(f"--{name} must be from {low:,.10g} to {high:,.10g}, not {value}")


def _reader(part: Field[Any]) -> Callable[[str], float] | type[str]:
    if "low" not in part.metadata:
        return str
    kind = whole if isinstance(part.default, int) else between
    return kind(part.metadata["low"], part.metadata["high"])


def _purpose(part: Field[Any]) -> str:
    what = part.metadata["what"]
    text = f"{what[0].upper()}{what[1:]}"
    if "low" not in part.metadata:
        return f"{text}."
    low, high = part.metadata["low"], part.metadata["high"]
    span = f"{low} or more" if high >= MOST_SEED else f"{low:,.10g} to {high:,.10g}"
    return f"{text}, {span}."

"""Reporting of errors: one line on standard error and an exit code."""

from __future__ import annotations

import os
import traceback
import warnings
from typing import Any

import click
from click.core import ParameterSource

from bordeaux.board.cleaning import clean
from bordeaux.board.errors import BordeauxError, ReadingNote

NO = 1
"""The answer is no: an illegal order, a mismatch found."""

BAD_INPUT = 2
"""Input or usage that cannot be accepted."""

INTERRUPTED = 130
"""Stopped with Ctrl-C; 128 + SIGINT, as shells count it."""

BROKEN_PIPE = 141
"""The reader of our output went away; 128 + SIGPIPE."""

TRACEBACK_SWITCH = "BORDEAUX_TRACEBACK"
SETTINGS = "bordeaux.settings"
"""The key of the user's settings for a command in its context."""


def report(message: str) -> None:
    """Write ``bordeaux: message`` to standard error as one line, with any content of `message`."""
    line = clean(" ".join(message.split()))
    click.echo(f"bordeaux: {line}", err=True)


def fail(error: BaseException) -> int:
    """Report `error` and return its exit code."""
    if os.environ.get(TRACEBACK_SWITCH):
        traceback.print_exception(error)
    if isinstance(error, click.UsageError):
        report(usage(error))
    elif isinstance(error, click.ClickException):
        report(error.format_message())
    elif isinstance(error, BordeauxError):
        report(str(error))
    elif isinstance(error, KeyboardInterrupt | click.Abort):
        report("interrupted")
        return INTERRUPTED
    elif isinstance(error, OSError):
        named = f"{error.filename}: " if error.filename is not None else ""
        report(f"{named}{error.strerror or error}")
    else:
        report(
            f"internal error, a fault of bordeaux and not of the input: {type(error).__name__}: {error}"
            f" ({TRACEBACK_SWITCH}=1 shows where; please report it)"
        )
    return BAD_INPUT


def usage(error: click.UsageError) -> str:
    """The fault of a command line and the command for its help, or that of a setting and its place."""
    message = error.format_message().rstrip(". ")
    if error.ctx is None:
        return message
    if isinstance(error, click.BadParameter) and error.param is not None and error.param.name is not None:
        source = error.ctx.get_parameter_source(error.param.name)
        if source is ParameterSource.DEFAULT_MAP:
            return f"{error.ctx.meta[SETTINGS].where}: {message}"
        if source is ParameterSource.ENVIRONMENT:
            return f"{error.param.envvar}: {message}"
    path = error.ctx.command_path.split()
    where = f"{path[-1]}: " if len(path) > 1 else ""
    return f"{where}{message}; try '{' '.join(path)} --help'"


def tell_notes() -> None:
    """From now on show every ReadingNote as a line ``bordeaux: note: ...``; other warnings are unchanged."""
    warnings.simplefilter("always", ReadingNote)
    others = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *place: Any, **rest: Any) -> None:
        if issubclass(category, ReadingNote):
            report(f"note: {message}")
        else:
            others(message, category, *place, **rest)

    warnings.showwarning = show

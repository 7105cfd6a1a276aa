"""Layout of help texts for any width of the window.

Examples continue on a further line, as a shell reads them, and descriptions are never cut off.
"""

from __future__ import annotations

import click

__all__ = ["HelpContext", "list_commands"]

FURTHER = 4
"""Columns by which the further lines of an example stand behind the first."""
WHOLE = 10_000


class Formatter(click.HelpFormatter):
    """Writes no line longer than the window, if blanks allow it."""

    def write(self, string: str) -> None:
        """Write a piece of the text."""
        lines = string.split("\n")
        super().write("\n".join(further for line in lines for further in folded(line, self.width)))


class HelpContext(click.Context):
    """A context whose help fits the window."""

    formatter_class = Formatter


def list_commands(group: click.Group, ctx: click.Context, formatter: click.HelpFormatter) -> None:
    """Write the description of every command of a group; click itself would shorten long texts."""
    commands = [(name, group.get_command(ctx, name)) for name in group.list_commands(ctx)]
    rows = [(name, command.get_short_help_str(WHOLE)) for name, command in commands if command is not None]
    with formatter.section("Commands"):
        formatter.write_dl(rows)


def folded(line: str, width: int) -> list[str]:
    """A shell command in lines of at most `width`, broken at blanks outside quotes, with backslashes."""
    lines = []
    indent = len(line) - len(line.lstrip())
    while len(line) > width:
        blanks = [place for place in outside_quotes(line) if indent + FURTHER < place <= width - 2]
        if not blanks:
            break
        lines.append(f"{line[: blanks[-1]]} \\")
        line = " " * (indent + FURTHER) + line[blanks[-1] + 1 :]
    return [*lines, line]


def outside_quotes(line: str) -> list[int]:
    """The indices of blanks that separate words for a shell."""
    places, quote = [], ""
    for place, letter in enumerate(line):
        if letter in "'\"" and quote in ("", letter):
            quote = "" if quote else letter
        elif letter == " " and not quote:
            places.append(place)
    return places

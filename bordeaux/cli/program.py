"""The frame around all commands: lazy loading, one line for every error, and settings of the user's own.

These are defaults of options, in a file or in the environment.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import os
import signal
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import click
from platformdirs import user_config_path

from bordeaux.board.errors import FormatError, nearest, quote
from bordeaux.board.toml import parse_toml
from bordeaux.cli.options import VARIABLE
from bordeaux.cli.report import BROKEN_PIPE, fail, tell_notes
from bordeaux.jobs import ENDING_SIGNALS

# Examples continue on a further line, as a shell reads them, and descriptions are never cut off.

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


#: The key of the user's settings for a command in its context.
SETTINGS = "bordeaux.settings"


#: The options and the layout of the help of every command.
CONTEXT: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class ReaderGone(Exception):
    """Standard output has no reader any more."""


class Script(click.Command):
    """A program of one command, such as those in ``tools``.

    Every exception of a command ends as one line on standard error and an exit code, never as a traceback;
    see `bordeaux.cli.report`. A command returns its exit code, or None for 0.
    """

    def __init__(self, *args: Any, **rest: Any) -> None:
        super().__init__(*args, **{"context_settings": {**CONTEXT, "show_default": True}, **rest})

    def main(self, *args: Any, **rest: Any) -> Any:
        """Run the program and exit; with ``standalone_mode=False`` return or raise instead."""
        standalone = rest.get("standalone_mode", True)
        rest["standalone_mode"] = False
        if not standalone:
            return super().main(*args, **rest)
        try:
            code = super().main(*args, **rest)
            sys.stdout.flush()
        except (BrokenPipeError, ReaderGone):
            # The reader of our output has gone away. Python would complain when it flushes the
            # rest at exit, so the rest is thrown away.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            code = BROKEN_PIPE
        except (Exception, KeyboardInterrupt) as error:
            code = fail(error)
        sys.exit(code if isinstance(code, int) else 0)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command of the command line."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as interrupt:
            # click itself would write an empty line first; `fail` says it in one line.
            raise click.Abort from interrupt
        except BrokenPipeError as error:
            # click itself would exit with 1, which here means something else.
            raise ReaderGone from error


def description(module: str) -> str:
    """The first sentence of a command's docstring, from the source of its module."""
    spec = importlib.util.find_spec(module)
    assert spec is not None and spec.origin is not None
    body = ast.parse(Path(spec.origin).read_text(encoding="utf-8")).body
    (command,) = (node for node in body if isinstance(node, ast.FunctionDef) and node.name == "command")
    return click.Command(None, help=ast.get_docstring(command)).get_short_help_str(WHOLE)


class CommandGroup(Script, click.Group):
    """A group whose commands are in modules ``PACKAGE.NAME`` as ``command``."""

    context_class = HelpContext

    def __init__(self, *args: Any, package: str, command_names: Sequence[str], **rest: Any) -> None:
        super().__init__(*args, **{"context_settings": CONTEXT, **rest})
        self.package = package
        self.command_names = tuple(command_names)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands, in the order of the help."""
        return list(self.command_names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, from its module."""
        if cmd_name not in self.command_names:
            choices = ", ".join(self.command_names)
            ctx.fail(f"no command {quote(cmd_name)}{nearest(cmd_name, self.command_names)} ({choices})")
        command: click.Command = importlib.import_module(f"{self.package}.{cmd_name}").command
        command.context_class = HelpContext
        if VARIABLE in os.environ:
            from bordeaux.cli.completion import completing

            return completing(command)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; those of the program itself with the user's settings as defaults."""
        if ctx.parent is None:
            ctx.meta[SETTINGS] = given = read_settings()
            ctx.default_map = defaults_of(self, given, (), self.command_names)
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command of the command line, with the user's settings as defaults of its options."""
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None and name is not None:
            given: FileSettings = ctx.meta[SETTINGS]
            table = given.of(name)
            ctx.meta[SETTINGS] = table
            path = [*ctx.command_path.split()[1:], name]
            also = command.list_commands(ctx) if isinstance(command, click.Group) else ()
            ctx.default_map = {name: defaults_of(command, table, path, also)}
        return name, command, rest

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the description of every command; none is imported for it."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, description(f"{self.package}.{name}")) for name in self.command_names])

    def main(self, *args: Any, **rest: Any) -> Any:
        """Run the program and exit; with ``standalone_mode=False`` return or raise instead."""
        if rest.get("standalone_mode", True):
            rest.setdefault("complete_var", VARIABLE)
            tell_notes()
        return super().main(*args, **rest)


#: The environment variable that names the file; empty for no file.
FILE = "BORDEAUX_CONFIG"
PREFIX = "BORDEAUX"
LARGEST = 1 << 20
"""Most bytes of a file of settings."""


class FileSettings(NamedTuple):
    """The settings of a file for a program or a command, and their place in it."""

    values: Mapping[str, Any]
    where: str

    def of(self, name: str) -> FileSettings:
        """The table of a command. Raises UsageError if it is not a table."""
        inner = self.values.get(name, {})
        place = f"{self.where} [{name}]" if "[" not in self.where else f"{self.where[:-1]}.{name}]"
        if not isinstance(inner, Mapping):
            raise click.UsageError(f"{self.where}: {name} is a command, so write a table [{name}]")
        return FileSettings(inner, place)


def settings_file() -> Path | None:
    """The file of settings: the one named by BORDEAUX_CONFIG, or ``bordeaux/config.toml`` in the folder of
    settings ($XDG_CONFIG_HOME, else ~/.config) if it exists."""
    named = os.environ.get(FILE)
    if named is not None:
        return Path(named) if named else None
    try:
        path = user_config_path("bordeaux") / "config.toml"
        return path if path.is_file() else None
    except (OSError, RuntimeError):
        return None


def read_settings() -> FileSettings:
    """The content of the file of settings, if there is one. Raises UsageError, one line with the file."""
    path = settings_file()
    if path is None:
        return FileSettings({}, "")
    try:
        with path.open("rb") as handle:
            data = handle.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise FormatError(f"more than {LARGEST >> 20} MB")
        return FileSettings(parse_toml(data.decode("utf-8")), str(path))
    except OSError as error:
        raise click.UsageError(f"cannot read {path}: {error.strerror or error}") from None
    except (FormatError, UnicodeDecodeError) as error:
        raise click.UsageError(f"{path} is no TOML: {error}; write [orders] and below it time = 2") from None


def defaults_of(
    command: click.Command, given: FileSettings, path: Iterable[str], also: Iterable[str] = ()
) -> dict[str, Any]:
    """The defaults of a command's options, by the names of its parameters.

    `path` are the words that call the command, without the program; `also` are further names that its table
    may hold. Raises UsageError, with the place of the setting, for an unknown option and for an invalid
    value.
    """
    options = {
        long.removeprefix("--"): option
        for option in command.params
        if isinstance(option, click.Option)
        for long in (*option.opts, *option.secondary_opts)
        if long.startswith("--")
    }
    settings = {}
    for name, value in given.values.items():
        if name in options:
            settings[str(options[name].name)] = _value(options[name], name, value, given.where)
        elif name not in also:
            choices = [*options, *also]
            raise click.UsageError(f"{given.where} has no {quote(name)}{nearest(name, choices)}")
    for name, option in options.items():
        variable = "_".join((PREFIX, *path, name)).replace("-", "_").upper()
        text = os.environ.get(variable)
        if text:
            listed = text.split() if option.multiple else text
            settings[str(option.name)] = _value(option, name, listed, variable)
    return settings


def _value(option: click.Option, name: str, value: Any, where: str) -> Any:
    """A value in the form of the command line."""
    try:
        if option.is_flag:
            return click.BOOL.convert(value if isinstance(value, bool) else str(value), option, None)
        if option.multiple:
            given = value if isinstance(value, list) else [value]
            for item in given:
                option.type.convert(str(item), option, None)
            return [str(item) for item in given]
        if isinstance(value, dict | list | bool):
            raise click.BadParameter("a single value is wanted.")
        option.type.convert(str(value), option, None)
        return str(value)
    except click.BadParameter as error:
        raise click.UsageError(f"{where}: {name}: {error.message}") from None


# Ctrl-C, SIGTERM and a closed terminal: each stops a command, which says how to continue.


class Stopped(KeyboardInterrupt):
    """The command was asked to end; `number` is the signal."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    @property
    def code(self) -> int:
        """The exit code in a shell's convention."""
        return 128 + self.number


@contextmanager
def stoppable() -> Iterator[None]:
    """Raise `Stopped` here when the process is asked to end. Outside the main thread signals are not
    handled."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, stop) for number in ENDING_SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class EndAsked:
    """Whether the process was asked to end: work that checks `is_set` can end in order."""

    def __init__(self) -> None:
        self.number = 0

    def is_set(self) -> bool:
        """Whether a signal has come."""
        return self.number != 0

    @property
    def code(self) -> int:
        """The exit code in a shell's convention; 0 if no signal has come."""
        return 128 + self.number if self.number else 0


@contextmanager
def asked_to_stop() -> Iterator[EndAsked]:
    """Record the first Ctrl-C, SIGTERM or closed terminal instead of raising; a second one raises
    KeyboardInterrupt at once. Outside the main thread signals are not handled."""
    asked = EndAsked()
    if threading.current_thread() is not threading.main_thread():
        yield asked
        return

    def note(number: int, frame: FrameType | None) -> None:
        if asked.number:
            raise KeyboardInterrupt
        asked.number = number

    before = {number: signal.signal(number, note) for number in ENDING_SIGNALS}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def stop(number: int, frame: FrameType | None) -> None:
    """Handle a signal once; another one while the command is stopping is ignored."""
    for signum in ENDING_SIGNALS:
        signal.signal(signum, signal.SIG_IGN)
    raise Stopped(number)

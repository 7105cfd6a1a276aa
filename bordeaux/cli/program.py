"""The frame around all commands: lazy loading, one line for every error, and settings of the user's own.

These are defaults of options, in a file or in the environment.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import io
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import click
from platformdirs import user_config_path

from bordeaux.board.errors import FormatError, nearest, quote
from bordeaux.board.toml import parse_toml
from bordeaux.cli.options import VARIABLE
from bordeaux.cli.report import BAD_INPUT, BROKEN_PIPE, SETTINGS, fail, report, tell_notes
from bordeaux.jobs import ENDING_SIGNALS

WHOLE = 10_000
"""Letters of a description, which is never cut off."""
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
        if sys.stdin is None:
            # A closed one has nothing to read.
            sys.stdin = Path(os.devnull).open()  # noqa: SIM115
        if sys.stdout is None:
            report("standard output is closed; send it to a file, or to /dev/null")
            sys.exit(BAD_INPUT)
        if isinstance(sys.stdout, io.TextIOWrapper):
            # Letters that its encoding lacks are told by their codes.
            sys.stdout.reconfigure(errors="backslashreplace")
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

    def __init__(self, *args: Any, package: str, command_names: Sequence[str], **rest: Any) -> None:
        # Called without a command it shows its help, which click would count as an error.
        rest |= {"invoke_without_command": True, "no_args_is_help": False}
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
        if VARIABLE in os.environ:
            from bordeaux.cli.completion import completing

            return completing(command)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; those of the program itself with the user's settings as defaults."""
        if ctx.parent is None:
            ctx.meta[SETTINGS] = settings = read_settings()
            ctx.default_map = defaults_of(self, settings, (), self.command_names)
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command of the command line, with the user's settings as defaults of its options."""
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None and name is not None:
            ctx.meta[SETTINGS] = settings = ctx.meta[SETTINGS].of(name)
            also = command.list_commands(ctx) if isinstance(command, click.Group) else ()
            path = [*ctx.command_path.split()[1:], name]
            ctx.default_map = {name: defaults_of(command, settings, path, also)}
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
    """The defaults of a command's options, by the names of its parameters; sets the variables of the options.
    An eager option, --version, is asked for on the command line alone.

    `path` are the words that call the command, without the program; `also` are further names that its table
    may hold. Raises UsageError, with the place of the setting, for an unknown option.
    """
    options: dict[str, click.Option] = {}
    for option in command.params:
        for long in option.opts:
            if isinstance(option, click.Option) and not option.is_eager and long.startswith("--"):
                options[long[2:]] = option
                option.envvar = "_".join((PREFIX, *path, long[2:])).replace("-", "_").upper()
    if unknown := [name for name in given.values if name not in options and name not in also]:
        choices = nearest(unknown[0], [*options, *also])
        raise click.UsageError(f"{given.where} has no {quote(unknown[0])}{choices}")
    defaults: dict[str, Any] = {}
    for name, value in given.values.items():
        if name in options:
            several = value if isinstance(value, list) else [value]
            text = list(map(str, several)) if options[name].multiple else str(value)
            defaults[str(options[name].name)] = text
    return defaults


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
def handled(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Let a function handle the signals that ask the process to end. Outside the main thread none come."""
    here = threading.current_thread() is threading.main_thread()
    before = {number: signal.signal(number, handler) for number in ENDING_SIGNALS if here}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


def stoppable() -> AbstractContextManager[None]:
    """Raise `Stopped` once here when the process is asked to end."""

    def stop(number: int, frame: FrameType | None) -> None:
        for other in ENDING_SIGNALS:
            signal.signal(other, signal.SIG_IGN)
        raise Stopped(number)

    return handled(stop)


class EndAsked:
    """Whether the process was asked to end: work that checks `is_set` can end in order. `code` is the exit
    code in a shell's convention, 0 if no signal has come."""

    def __init__(self) -> None:
        self.code = 0

    def is_set(self) -> bool:
        """Whether a signal has come."""
        return self.code != 0


@contextmanager
def asked_to_stop() -> Iterator[EndAsked]:
    """Record the first Ctrl-C, SIGTERM or closed terminal instead of raising; a second one raises
    KeyboardInterrupt at once."""
    asked = EndAsked()

    def note(number: int, frame: FrameType | None) -> None:
        if asked.code:
            raise KeyboardInterrupt
        asked.code = 128 + number

    with handled(note):
        yield asked


LONGEST = 100_000
"""Most characters of a line with commands."""


def at_terminal() -> bool:
    """Whether somebody types at a terminal that can move its cursor."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def input_lines() -> Iterator[str]:
    """The lines of standard input. Raises FormatError for one that no command has."""
    while line := sys.stdin.readline(LONGEST + 1):
        if len(line) > LONGEST:
            raise FormatError(f"standard input: a line of more than {LONGEST:,} characters is no command")
        yield line

"""A user's defaults: a file of settings and the environment, both below the command line.

The file is TOML with a table for each command and an entry for each option: ``[orders]`` ``time = 2``. A
subcommand is a table in its command's table, ``[book.show]``. In the environment the same is
``BORDEAUX_ORDERS_TIME=2``, which overrides the file.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import click
from platformdirs import user_config_path

from bordeaux.board.errors import FormatError, nearest, quote
from bordeaux.board.toml import parse_toml

__all__ = ["FILE", "FileSettings", "defaults", "read", "settings_file"]

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


def read() -> FileSettings:
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


def defaults(
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

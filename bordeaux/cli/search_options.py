"""The options of a command that searches: every setting, from a file, by name, or by an option of its own."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click

from bordeaux.board.errors import BordeauxError
from bordeaux.cli.options import share
from bordeaux.formats.source import LARGEST_TEXT, name_of, open_source, read_text
from bordeaux.search.config import LEARNT, PAPER, SEARCHES, PaperConfig, SearchConfig, ideas_of

__all__ = ["search_options"]

Command = TypeVar("Command", bound=Callable[..., Any])


def search_options(command: Command) -> Command:
    """Add --search, --config, --set, --evaluation, --without and --caution; the command gets the resulting
    `SearchConfig` as ``config``. Options override the settings of a file."""

    @functools.wraps(command)
    def wrapped(
        *arguments: Any,
        config_file: str | None,
        settings: tuple[str, ...],
        search: str | None,
        evaluation: str | None,
        without: tuple[str, ...],
        caution: float | None,
        **options: Any,
    ) -> Any:
        config = SearchConfig() if config_file is None else _read(config_file)
        named = {"search": search, "evaluation": evaluation, "caution": caution}
        given: dict[str, object] = dict(map(_setting, settings))
        config = config.changed(given | {name: value for name, value in named.items() if value is not None})
        names = [name.strip() for listed in without for name in listed.split(",")]
        return command(*arguments, config=config.without_ideas(*names), **options)

    for option in reversed(_OPTIONS):
        wrapped = option(wrapped)
    return wrapped  # type: ignore[return-value]


def _by_search(names_of: Callable[[str], Iterable[str]]) -> str:
    """Names that both searches have, and those of each alone."""
    names = {search: [*names_of(search)] for search in SEARCHES}
    both = [name for name in names[LEARNT] if name in names[PAPER]]
    own = (f"{', '.join(name for name in names[search] if name not in both)} ({search})" for search in names)
    return f"{', '.join(both)}; {'; '.join(own)}"


_OPTIONS = (
    click.option(
        "--config",
        "config_file",
        metavar="FILE",
        help="Settings of the search: a TOML file of names and values.",
    ),
    click.option(
        "--set",
        "settings",
        metavar="NAME=VALUE",
        multiple=True,
        help=f"One setting of the search; may be repeated. Names: {_by_search(SearchConfig.settings)}.",
    ),
    click.option(
        "--search",
        type=click.Choice([*SEARCHES]),
        help="; ".join(f"{name}: {what}" for name, what in SEARCHES.items()) + ".  [default: learnt]",
    ),
    click.option(
        "--evaluation",
        metavar="NAME",
        help="The evaluation: default, paper for that of Hall and Loeb, another name such as hand or centres,"
        " or a .toml or .npz file of weights."
        "  [default: default]",
    ),
    click.option(
        "--without",
        metavar="IDEAS",
        multiple=True,
        help=f"Ideas of the search to leave out, separated by commas: {_by_search(ideas_of)}.",
    ),
    click.option(
        "--caution",
        type=share,
        metavar="X",
        help="With --search paper: how it judges by the enemies' replies, 0 by their mean, 1 by the worst."
        f"  [default: {PaperConfig().caution}]",
    ),
)


def _read(file: str) -> SearchConfig:
    """The settings of a file. Raises BordeauxError, with the name of the file, for invalid content."""
    with open_source(file) as handle:
        try:
            return SearchConfig.from_toml(read_text(handle, most=LARGEST_TEXT))
        except BordeauxError as error:
            raise BordeauxError(f"{name_of(file)}: {error}") from None


def _setting(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign:
        raise click.UsageError(f"--set wants NAME=VALUE, like --set sure=0.5, not {text!r}")
    return name.strip(), value.strip()

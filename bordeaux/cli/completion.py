"""``bordeaux completion``: shell completion of commands, options and names."""

from __future__ import annotations

from collections.abc import Callable

import click
from click.shell_completion import CompletionItem, get_completion_class

from bordeaux.board.cleaning import json_line
from bordeaux.cli.options import VARIABLE, json_option

SHELLS = {"bash": "~/.bashrc", "zsh": "~/.zshrc", "fish": "~/.config/fish/config.fish"}


@click.command("completion")
@click.argument("shell", type=click.Choice(list(SHELLS)))
@json_option
@click.pass_context
def command(context: click.Context, shell: str, as_json: bool) -> None:
    """Print what makes SHELL complete commands, options, powers, players and files.

    Let the shell read it when it starts: the lines below go into the file that it reads then.

    \b
    Examples:
      bordeaux completion bash
      bordeaux completion zsh > _bordeaux
      bordeaux completion fish | source
    """
    kind = get_completion_class(shell)
    assert kind is not None
    program = context.find_root()
    text = kind(program.command, {}, "bordeaux", VARIABLE).source()
    if as_json:
        click.echo(json_line({"shell": shell, "file": SHELLS[shell], "script": text}))
        return
    line = (
        "bordeaux completion fish | source" if shell == "fish" else f'eval "$(bordeaux completion {shell})"'
    )
    click.echo(f"# In {SHELLS[shell]}: {line}")
    click.echo(text)


Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem] | list[str]]


def completing(command: click.Command) -> click.Command:
    """Set the completion of a command's parameters by their metavariable: files, powers of the standard map,
    players."""
    for parameter in command.params:
        words = set((parameter.metavar or "").replace("...", "").replace(",", "|").split("|"))
        complete = next((how for kinds, how in COMPLETED if words & kinds), None)
        if complete is not None:
            # What click takes as shell_complete in an option's declaration.
            parameter._custom_shell_complete = complete
    return command


def files(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Files, and the word for the first position where one is expected."""
    start = parameter.metavar == "POSITION" and "start".startswith(begun)
    return [*([CompletionItem("start")] if start else []), CompletionItem(begun, type="file")]


def powers(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """The powers of the standard map."""
    from bordeaux.board.map import Map

    names = [*Map.standard().powers, *(["all"] if "all" in (parameter.metavar or "") else [])]
    return [name for name in names if name.lower().startswith(begun.lower())]


def players(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """Players, the last of a list separated by commas."""
    from bordeaux.arena.player_specs import names

    before, comma, last = begun.rpartition(",")
    return [f"{before}{comma}{name}" for name in names() if name.startswith(last)]


COMPLETED: tuple[tuple[frozenset[str], Complete], ...] = (
    (frozenset(("FILE", "POSITION", "GAME", "GAMES", "BOOK", "FOLDER")), files),
    (frozenset(("P",)), powers),
    (frozenset(("PLAYER", "PLAYERS", "A", "B")), players),
)

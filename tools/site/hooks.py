"""Generates pages of the site that are not in docs: the reference of the commands, and the changelog."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from mkdocs.structure.files import File, Files

from bordeaux.cli import main

ROOT = Path(__file__).resolve().parent.parent.parent
WIDTH = 84
LAID_OUT = Path("build", "documented")
BUILT = shutil.ignore_patterns("*.so", "*.c", "__pycache__", "data")
INTRODUCTION = """# Commands

Every command as `--help` tells of it. Exit codes: 0 done; 1 the answer is no (an illegal order, a mismatch
found); 2 bad input or usage, with one line on standard error. Every command takes `--json`. Defaults of your
own: [At the terminal](../tour.md#at-the-terminal).
"""


def on_startup(command: str, dirty: bool) -> None:
    """Arrange the package as it is installed, for the reader of docstrings, which ignores package_dir."""
    folder = ROOT / LAID_OUT / "bordeaux"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "bordeaux", folder, ignore=BUILT)
    for name in ("_ext", "openings", "metamap"):
        shutil.copytree(ROOT / name, folder / name, ignore=BUILT)


def on_files(files: Files, config: Any) -> Files:
    """Add the generated pages."""
    for name, text in (("reference/commands.md", commands()), ("changes.md", changes())):
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Remove comments for the tests."""
    return re.sub(r"^<!--.*?-->\n", "", markdown, flags=re.MULTILINE | re.DOTALL)


def commands() -> str:
    """The page of commands."""
    parts = [INTRODUCTION]
    for path, command, context in listed(
        main, click.Context(main, info_name="bordeaux", terminal_width=WIDTH)
    ):
        parts.append(f"## {path}\n\n```text\n{command.get_help(context).rstrip()}\n```\n")
    return "\n".join(parts)


def listed(
    command: click.Command, context: click.Context
) -> Iterator[tuple[str, click.Command, click.Context]]:
    """A command and those below it, with their command lines."""
    yield context.command_path, command, context
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from listed(
                below, below.context_class(below, info_name=name, parent=context, terminal_width=WIDTH)
            )


def changes() -> str:
    """The changelog; links of file names are removed, as they are not on the site."""
    return (ROOT / "CHANGELOG.md").read_text("utf-8")

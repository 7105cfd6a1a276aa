"""What the README shows is run: its Python as it stands, its commands as far as they need no file."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import nbformat
import pytest
from nbclient import NotebookClient

import bordeaux
import golden
from tests.patience import PATIENCE

README = golden.ROOT / "README.md"
TOUR = golden.ROOT / "docs" / "tour.md"
SHOWN = [shown for page in (README, TOUR) for shown in golden.commands(page) if "bordeaux " in shown.command]
DAIDE = [
    command.command
    for command in golden.commands(TOUR)
    if command.not_run.startswith("the three play one game")
]
# What a page shows is compared in test_golden, as are the signatures of the bench.
ONLY_RUN = sorted(
    {shown.command for shown in SHOWN if not shown.not_run and shown.first == shown.last} - {"bordeaux bench"}
)


@pytest.mark.parametrize(
    "page",
    ["README", "docs/book", "docs/environment", "docs/python", "docs/tutorials", "docs/reference/python"],
)
def test_python_runs(page: str) -> None:
    text = (golden.ROOT / f"{page}.md").read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, f"{page}.md", "exec"), {})


def test_the_reference_has_all_that_the_package_shows() -> None:
    text = (golden.ROOT / "docs/reference/python.md").read_text("utf-8")
    named = set(re.findall(r"^::: bordeaux\.[\w.]*?(\w+)$", text, re.MULTILINE))
    assert set(bordeaux.__all__) - {"__version__"} <= named


def test_pictures_and_pages_are_there() -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)\)", README.read_text("utf-8"))
    assert any(link.startswith("docs/pictures/") for link in links)
    assert [link for link in links if not (golden.ROOT / link).is_file()] == []


@pytest.mark.parametrize("command", ONLY_RUN)
@pytest.mark.slow
def test_command_runs(command: str, tmp_path: Path) -> None:
    quick = command.replace("--puzzles", "--puzzles --sample 9")
    quick = re.sub(r"--games \d+", "--games 7", quick)
    quick = re.sub(r"--until \d+", "--until 1902", quick)
    quick = re.sub(r"nodes(.)\d+", r"nodes\g<1>100", quick)
    if "arena" in quick and "--until" not in quick:
        quick += " --until 1902"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    run = subprocess.run(
        ["bash", "-o", "pipefail", "-c", quick],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout


@pytest.mark.slow
def test_the_daide_commands_play_a_game_together(tmp_path: Path) -> None:
    """The commands of the DAIDE block, with another port and less time."""
    server, *others = DAIDE
    assert server.startswith("bordeaux server")
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    with subprocess.Popen(
        shlex.split(re.sub(r"--until \d+", "--until 1904", server) + " --port 0"),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=tmp_path,
        env=env,
    ) as serving:
        try:
            assert serving.stdout is not None
            address = serving.stdout.readline().removeprefix("listening on ").strip()
            commands = [
                command.replace("127.0.0.1:16713", address).replace("--time 5", "--player hold")
                for command in others
            ]
            clients = [
                subprocess.Popen(shlex.split(command), stdout=subprocess.DEVNULL, cwd=tmp_path, env=env)
                for command in commands
            ]
            assert [client.wait(timeout=PATIENCE) for client in clients] == [0] * len(others)
            assert serving.wait(timeout=PATIENCE) == 0
        finally:
            serving.kill()
    assert (tmp_path / "game.json").stat().st_size > 10_000


def test_every_command_has_its_tour() -> None:
    from bordeaux.cli import main

    text = TOUR.read_text("utf-8")
    missing = [name for name in main.list_commands(click.Context(main)) if f"bordeaux {name}" not in text]
    assert missing == []


# The notebooks of the documentation run from their first cell to their last.

NOTEBOOKS = sorted((Path(__file__).resolve().parent.parent / "docs" / "notebooks").glob("*.ipynb"))


def notebook(path: Path) -> nbformat.NotebookNode:
    """A notebook from its file."""
    notebook: nbformat.NotebookNode = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]  # of nbformat
    return notebook


def test_there_are_notebooks_without_stored_results() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["books", "positions", "tournament", "training"]
    for path in NOTEBOOKS:
        for cell in notebook(path).cells:
            assert cell.cell_type == "markdown" or (cell.outputs == [] and cell.execution_count is None)


# Jupyter's own sockets and loops are not ours to tidy up.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.slow
def test_a_notebook_runs_and_shows_a_picture(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # At full size it trains for ten minutes.
    monkeypatch.setenv("TRAINING_ROUNDS", "2")
    book = notebook(path)
    NotebookClient(book, timeout=round(PATIENCE), resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [
        output.data
        for cell in book.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type in ("display_data", "execute_result")
    ]
    assert any("image/svg+xml" in data for data in shown)

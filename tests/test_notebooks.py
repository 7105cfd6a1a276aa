"""The notebooks of the documentation run from their first cell to their last."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tests.patience import PATIENCE

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

"""Players are asked in a few positions, which the sample has as well as the large collection."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def recorded_games() -> Path:
    """The folder of the sample."""
    return Path(__file__).resolve().parents[1] / "data"

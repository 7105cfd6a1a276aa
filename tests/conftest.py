"""What every test may ask for."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# Programs that tests start must meet the installed package as well, never the tree they are started in.
os.environ["PYTHONSAFEPATH"] = "1"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of recorded games, DATC cases and openings: ../shared/data, or $BORDEAUX_SHARED/data.

    Without it the tests that need it are skipped, except under CI, where they run and fail.
    """
    folder = Path(os.environ.get("BORDEAUX_SHARED") or ROOT.parent / "shared") / "data"
    if not folder.is_dir() and not os.environ.get("CI"):
        pytest.skip(
            f"NO SHARED DATA: {folder} does not exist, so this test DID NOT RUN;"
            " set BORDEAUX_SHARED to the folder that holds data/"
        )
    return folder

"""What tests of the training share: the folder `training` is no part of the package, so it is found here."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from training.shards import Shards

ROOT = Path(__file__).resolve().parents[2]
# Last, so that the package itself is the installed one.
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))

GAMES = ROOT / "tests" / "data" / "human.jsonl.gz"


@pytest.fixture(autouse=True)
def one_thread() -> None:
    """A command of the training sets the threads of PyTorch for all that runs after it. Small work goes no
    faster with two, and takes ten times as long on a busy machine."""
    if torch := sys.modules.get("torch"):
        torch.set_num_threads(1)


@pytest.fixture
def only_training(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which Python finds `training` without the tree of the package, which may lack its core."""
    folder = tmp_path_factory.mktemp("only")
    (folder / "training").symlink_to(ROOT / "training", target_is_directory=True)
    return folder


@pytest.fixture(scope="session")
def blocks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The arrays of six games, two in a file."""
    from training.shards import make_shards

    return make_shards(GAMES, tmp_path_factory.mktemp("blocks"), limit=6, block=2, processes=1)


@pytest.fixture(scope="session")
def shards(blocks: Path) -> Shards:
    """The same, as they are read."""
    from training.shards import load_shards

    return load_shards(blocks)

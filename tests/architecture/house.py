"""The files of the package, and which module imports which."""

import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BESIDE = ("_ext", "openings", "metamap")
"""Folders of the checkout that are installed as parts of the package."""

GRAPH = """
import grimp, json
graph = grimp.build_graph("bordeaux", cache_dir=None)
print(json.dumps({name: sorted(graph.find_modules_directly_imported_by(name)) for name in graph.modules}))
"""


def sources(*suffixes: str) -> list[Path]:
    """Every file with one of these suffixes that the package or the core is made of."""
    folders = [ROOT / name for name in ("bordeaux", *BESIDE)]
    return sorted(path for folder in folders for path in folder.rglob("*") if path.suffix in suffixes)


def as_installed(*command: str) -> subprocess.CompletedProcess[str]:
    """Run Python where `import bordeaux` gives the checkout, in the folders in which it is installed."""
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "bordeaux"
        package.mkdir()
        for path in [*(ROOT / "bordeaux").iterdir(), *(ROOT / name for name in BESIDE)]:
            (package / path.name).symlink_to(path)
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONSAFEPATH"}
        python = (sys.executable, "-c", *command)
        return subprocess.run(
            python, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )


@cache
def import_graph() -> dict[str, set[str]]:
    """The modules of the package that each of them imports, the core left out."""
    listed = json.loads(as_installed(GRAPH).stdout)
    return {name: set(imported) for name, imported in listed.items()}

"""Every file and module that a page or a docstring names is there."""

import re

from tests.architecture.house import ROOT, sources

FOLDERS = "bordeaux|_ext|openings|metamap|tests|training|tools|benchmarks|docs|examples"
ENDINGS = "py|pyx|pxd|pyi|h|js|css|toml|md|ebnf|jsonl|npz"
NAMED = re.compile(rf"(?<![\w./~-])((?:{FOLDERS})/[\w./-]*\w\.(?:{ENDINGS}))\b")
SHORT = re.compile(r"`([\w./-]+\.(?:py|pyx|pxd|ebnf))`")
MODULE = re.compile(r"`(bordeaux(?:\.[a-z_]+)+)")
PAGES = [path for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")] if path.name != "CHANGELOG.md"]
MADE_UP = {"_ext/value/mine.pyx", "tests/test_x.py", "bordeaux/config.toml", "tests/observation_test.py"}
"""Examples, the user's own files, and a file of another project."""


def test_named_files_are_there() -> None:
    there = "\n".join(str(path) for folder in FOLDERS.split("|") for path in (ROOT / folder).rglob("*.*"))
    texts = {
        path: path.read_text("utf-8") for path in [*PAGES, *sources(".py", ".pyx", ".pxd", ".h", ".toml")]
    }
    named = {(path.name, name) for path, text in texts.items() for name in NAMED.findall(text)}
    short = {(path.name, name) for path in PAGES for name in SHORT.findall(texts[path])}
    assert len(named) > 100 and len(short) > 50
    lost = {(page, name) for page, name in named if not (ROOT / name).exists()}
    lost |= {
        (page, name) for page, name in short if not re.search(rf"/{re.escape(name)}$", there, re.MULTILINE)
    }
    assert {(page, name) for page, name in lost if name not in MADE_UP} == set()


def test_named_modules_are_there() -> None:
    lost = set()
    for path in [*PAGES, *sources(".py", ".pyx", ".pxd", ".pyi")]:
        for name in MODULE.findall(path.read_text("utf-8")):
            parts = re.sub(r"^bordeaux\.(?=_ext|openings|metamap)", "", name).split(".")
            whole, room = ROOT.joinpath(*parts), ROOT.joinpath(*parts[:-1])
            held = room / "__init__.py" if room.is_dir() else room.with_suffix(".py")
            if not (whole.is_dir() or any(whole.parent.glob(f"{whole.name}.py*"))) and (
                not held.exists() or parts[-1] not in held.read_text("utf-8")
            ):
                lost.add((path.name, name))
    assert lost == set()

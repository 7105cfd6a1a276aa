"""Every file and module that a page or a docstring names is there."""

import os
import re

from tests.architecture.house import ROOT, sources

FOLDERS = "bordeaux|_ext|openings|metamap|tests|training|tools|benchmarks|docs|examples"
ENDINGS = "py|pyx|pxd|h|js|css|toml|md|ebnf|jsonl|npz"
NAMED = re.compile(rf"(?<![\w./~-])((?:{FOLDERS})/[\w./-]*\w\.(?:{ENDINGS}))\b")
SHORT = re.compile(r"`([\w./-]+\.(?:py|pyx|pxd|ebnf))`")
MODULE = re.compile(r"`(bordeaux(?:\.[a-z_]+)+)")
PAGES = [path for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")] if path.name != "CHANGELOG.md"]
DOCS = ROOT / "docs"
MADE = ("commands.md", "changes.md")
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
    for path in [*PAGES, *sources(".py", ".pyx", ".pxd")]:
        for name in MODULE.findall(path.read_text("utf-8")):
            parts = re.sub(r"^bordeaux\.(?=_ext|openings|metamap)", "", name).split(".")
            whole, room = ROOT.joinpath(*parts), ROOT.joinpath(*parts[:-1])
            held = room / "__init__.py" if room.is_dir() else room.with_suffix(".py")
            if not (whole.is_dir() or any(whole.parent.glob(f"{whole.name}.py*"))) and (
                not held.exists() or parts[-1] not in held.read_text("utf-8")
            ):
                lost.add((path.name, name))
    assert lost == set()


def test_links_of_pages_lead_to_a_heading() -> None:
    """Those within the docs; the pages `commands` and `changes` are made for the site."""
    pages = {path.relative_to(DOCS).as_posix(): path.read_text("utf-8") for path in DOCS.rglob("*.md")}
    anchors = {
        name: {slug(line) for line in text.splitlines() if line.startswith("#")}
        for name, text in pages.items()
    }
    lost = []
    for name, text in pages.items():
        for target, heading in re.findall(r"\]\(([\w./-]*)(#[\w-]+)?\)", text):
            there = (DOCS / name).parent / target if target else DOCS / name
            found = anchors.get(os.path.relpath(there, DOCS))
            if there.name not in MADE and (
                not there.exists() or (heading and heading[1:] not in (found or ()))
            ):
                lost.append((name, target + heading))
    assert lost == []


def slug(heading: str) -> str:
    """The anchor of a heading on the site."""
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower())

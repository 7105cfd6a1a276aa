"""What people see of positions and games: boards, charts, pages, and tables of a terminal."""

import base64
import hashlib
from collections.abc import Iterable, Mapping
from importlib import resources

from bordeaux.board.cleaning import html_text as escape


def sheet(name: str) -> str:
    """A style sheet of this package; ``base.css`` is for every page that is one file."""
    return (resources.files("bordeaux.view") / name).read_text("utf-8")


def document(title: str, style: str, body: str) -> str:
    """A self-contained page without a script, with a style of its own beside the common one."""
    common = sheet("base.css") + sheet("pages.css")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{common}{style}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def hashed(text: str) -> str:
    """A style or a script as a content-security policy allows it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def contents(links: Mapping[str, str]) -> str:
    """Links to the sections of a page, by their ids."""
    items = "".join(f'<li><a href="#{name}">{escape(text)}</a></li>' for name, text in links.items())
    return f'<nav aria-label="Sections"><ul>{items}</ul></nav>'


def scrolling(name: str, kind: str = "scroll") -> str:
    """The beginning of an element that scrolls if it is too wide, by keys too; the caller ends it."""
    return f'<div class="{kind}" tabindex="0" role="group" aria-label="{escape(name)}">'


def table(name: str, heads: Iterable[str], rows: Iterable[Iterable[str]], caption: str = "") -> str:
    """A table of rows of cells, which scrolls. A head with ``=`` before it is that of a column of numbers."""
    head = "".join(
        f'<th scope="col"{" class=number" * text.startswith("=")}>{escape(text.removeprefix("="))}</th>'
        for text in heads
    )
    told = f"<caption>{escape(caption)}</caption>" if caption else ""
    body = "\n".join(f"<tr>{''.join(cells)}</tr>" for cells in rows)
    parts = f"{told}\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>"
    return f"{scrolling(name)}<table>{parts}</table></div>"

"""Saved or copied web pages: the visible lines, the scripts, and the address of a page.

A browser saves a page as HTML, with a comment that has its address, or as one file in MIME (``.mhtml``).
Copied text has no markup; it is one page of lines.
"""

from __future__ import annotations

import email
import email.policy
import re
from html.parser import HTMLParser
from typing import NamedTuple

from bordeaux.board.errors import FormatError

__all__ = ["BREAK", "Page", "PageLine", "pages_of", "text_of_bytes"]

BREAK = "\f"
"""The separator of several pages in one text."""
MOST_LINES = 400_000

_BLOCKS = frozenset(
    {
        *(
            "address",
            "article",
            "aside",
            "blockquote",
            "body",
            "br",
            "dd",
            "div",
            "dl",
            "dt",
            "footer",
            "form",
        ),
        *(
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "header",
            "hr",
            "li",
            "main",
            "nav",
            "ol",
            "option",
            "p",
            "pre",
        ),
        *("section", "select", "table", "tbody", "tfoot", "thead", "title", "tr", "ul"),
    }
)
_CELLS = frozenset({"td", "th"})
_HIDDEN = frozenset({"style", "template", "noscript"})
_SAVED_FROM = re.compile(r"<!--\s*saved from url=\(\d+\)(\S+?)\s*-->", re.IGNORECASE)
_MARKS = re.compile(r"<(?:!doctype|html|head|body|div|table|ul|h\d|p|script|meta)\b", re.IGNORECASE)
_MIME = re.compile(
    r"\s*(?:From: <Saved by|MIME-Version:|Snapshot-Content-Location:|Content-Type: multipart)", re.IGNORECASE
)
_BLANK = re.compile(r"[^\S\t]+")


class PageLine(NamedTuple):
    """A visible line, and its number in the page's source, from 1."""

    number: int
    text: str


class Page(NamedTuple):
    """One page: `title`, its non-blank `lines`, the texts of its `scripts`, the `address` that it was saved
    from ("" if unknown), and `source`, its whole text with markup."""

    title: str
    lines: list[PageLine]
    scripts: list[str]
    address: str
    source: str

    @property
    def text(self) -> str:
        """All lines as one text."""
        return "\n".join(line.text for line in self.lines)


def text_of_bytes(data: bytes) -> str:
    """The text of a saved page: UTF-8, or else the default encoding of browsers."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def pages_of(text: str) -> list[Page]:
    """The pages of a text. Raises FormatError for one with too many lines."""
    pages = [_page(part) for part in text.split(BREAK) if part.strip()]
    if sum(len(page.lines) for page in pages) > MOST_LINES:
        raise FormatError(f"more than {MOST_LINES:,} lines; no game has that many")
    return pages


def _page(text: str) -> Page:
    if _MIME.match(text[:400]):
        text = _html_of_mime(text)
    if _MARKS.search(text[:20_000]) is None:
        lines = [
            PageLine(number, _tidy(line)) for number, line in enumerate(text.splitlines(), 1) if line.strip()
        ]
        return Page("", lines, [text] if "unitsByPlayer" in text else [], "", text)
    saved = _SAVED_FROM.search(text[:4000])
    reader = _Reader()
    reader.feed(text)
    reader.close()
    reader.end_line()
    return Page(reader.title, reader.lines, reader.scripts, saved[1] if saved else reader.address, text)


def _html_of_mime(text: str) -> str:
    """The first page in a MIME file. Raises FormatError if there is none."""
    message = email.message_from_string(text.lstrip(), policy=email.policy.compat32)
    for part in message.walk():
        if part.get_content_type() == "text/html":
            payload = part.get_payload(decode=True)
            if isinstance(payload, bytes):
                address = part.get("Content-Location") or message.get("Snapshot-Content-Location") or ""
                return f"<!-- saved from url=({len(address):04d}){address} -->\n{text_of_bytes(payload)}"
    raise FormatError("there is no web page in this MIME file; save the page as HTML")


def _tidy(text: str) -> str:
    """The words separated by one blank; tabs, which separate the cells of a table, stay."""
    return _BLANK.sub(" ", text.replace("\u00a0", " ")).strip(" ")


class _Reader(HTMLParser):
    """Collects lines and scripts of HTML, with any nesting."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[PageLine] = []
        self.scripts: list[str] = []
        self.title = ""
        self.address = ""
        self._words: list[str] = []
        self._begins = 1
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A tag opens: separate lines and cells, skip invisible elements."""
        given = dict(attrs)
        if tag == "meta" and given.get("property") == "og:title":
            self.title = given.get("content") or self.title
        elif tag == "meta" and given.get("property") == "og:url":
            self.address = self.address or given.get("content") or ""
        elif tag == "link" and given.get("rel") == "canonical":
            self.address = given.get("href") or self.address
        if tag in _BLOCKS:
            self.end_line()
        elif tag in _CELLS:
            self._words.append("\t")
        if tag == "script" or tag in _HIDDEN or tag == "title":
            self._inside = tag
            if tag == "script":
                self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        """A tag closes."""
        if tag == self._inside:
            self._inside = ""
        if tag in _BLOCKS:
            self.end_line()

    def handle_data(self, data: str) -> None:
        """Text between tags."""
        if self._inside == "script":
            self.scripts[-1] += data
        elif self._inside == "title":
            self.title = self.title or data.strip()
        elif not self._inside:
            if not self._words:
                self._begins = self.getpos()[0]
            self._words.append(data.replace("\n", " ").replace("\r", " "))

    def end_line(self) -> None:
        """End the current line."""
        text = _tidy("".join(self._words)).strip()
        if text:
            self.lines.append(PageLine(self._begins, re.sub(r"\s*\t\s*", "\t", text)))
        self._words = []

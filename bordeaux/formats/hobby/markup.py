"""Saved or copied web pages: the visible lines, the scripts, and the address of a page.

A browser saves a page as HTML, with a comment that has its address, or as one file in MIME (``.mhtml``).
Copied text has no markup; it is one page of lines.
"""

from __future__ import annotations

import email
import email.policy
import html
import re
from typing import NamedTuple

from bordeaux.board.errors import FormatError
from bordeaux.formats.source import BREAK, text_of_bytes

MOST_LINES = 400_000
MOST_PAGES = 1000
MOST_PARTS = 20
"""Parts of a MIME file that may have parts themselves; a browser saves one."""

_BLOCK = re.compile(
    r"address|article|aside|blockquote|body|br|d[dlt]|div|footer|form|h[1-6r]|header|li|main|nav|[ou]l|option"
    r"|p|pre|section|select|table|t(?:body|foot|head|r)|title"
)
_APART, _STRUCK = frozenset({"blockquote", "details"}), frozenset({"del", "s", "strike"})
"""Elements whose text is no order; it gets the marks of `bordeaux.board.notation`."""
_CELLS = frozenset({"td", "th"})
_RAW = frozenset({"script", "style", "template", "noscript", "title", "textarea"})
"""Elements whose text is none of the page; that of the title is its title."""
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]{0,20})")
_TAG_PART = re.compile(r">|=\s*[\"']")
_ATTRIBUTE = re.compile(r"([a-z:]{1,20})\s{0,9}=\s{0,9}(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
_LONG_NUMBER = re.compile(r"&#x?[0-9a-f]{8,};?", re.IGNORECASE)
_SAVED_FROM = re.compile(r"<!--\s{0,9}saved from url=\(\d{1,9}\)([^\s>]{1,2000})\s{0,9}-->", re.IGNORECASE)
_MARKS = re.compile(r"<(?:!doctype|html|head|body|div|table|ul|h\d|p|script|meta)\b", re.IGNORECASE)
_MIME = re.compile(
    r"\s*(?:From: <Saved by|MIME-Version:|Snapshot-Content-Location:|Content-Type: multipart)", re.IGNORECASE
)
_PARTS = re.compile(r"\b(?:multipart|message)/", re.IGNORECASE)
_BLANK = re.compile(r"[^\S\t]+")


class Page(NamedTuple):
    """One page: `title`, its `lines` that are not blank with their numbers in the source, the `address` that
    it was saved from ("" if unknown), and `source`, its whole text with markup and scripts."""

    title: str
    lines: list[tuple[int, str]]
    address: str
    source: str


def pages_of(text: str) -> list[Page]:
    """The pages of a text. Raises FormatError for one with too many lines or pages."""
    parts = [part for part in text.split(BREAK) if part.strip()]
    if len(parts) > MOST_PAGES:
        raise FormatError(f"more than {MOST_PAGES:,} pages; no game has that many")
    pages = [_page(part) for part in parts]
    if sum(len(page.lines) for page in pages) > MOST_LINES:
        raise FormatError(f"more than {MOST_LINES:,} lines; no game has that many")
    return pages


def _page(text: str) -> Page:
    if _MIME.match(text[:400]):
        text = _html_of_mime(text)
    if _MARKS.search(text[:20_000]) is None:
        lines = [(number, _tidy(line)) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
        return Page("", lines, "", text)
    saved = _SAVED_FROM.search(text[:4000])
    reader = _Reader(text)
    return Page(reader.title, reader.lines, saved[1] if saved else reader.address, text)


def _html_of_mime(text: str) -> str:
    """The first page in a MIME file. Raises FormatError if there is none, or if parts are in parts for ever:
    the parser looks at each line once for every part that it is in."""
    if len(_PARTS.findall(text)) > MOST_PARTS:
        raise FormatError(f"more than {MOST_PARTS} parts of parts in this MIME file; save the page as HTML")
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


class _Reader:
    """Collects the visible lines of HTML, however it is nested or broken. Every letter is looked at a fixed
    number of times, and what is not closed ends with the text: `html.parser` takes minutes for ``<a <a ...``
    and stops at ``<![``, and faster parsers do not give the lines."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines: list[tuple[int, str]] = []
        self.title = self.address = ""
        self._words: list[str] = []
        self._begins = self._line = 1
        self._counted = at = 0
        while (tag := text.find("<", at)) >= 0:
            self._data(at, tag)
            at = self._markup(tag)
        self._data(at, len(text))
        self._end_line()

    def _markup(self, at: int) -> int:
        """Read a tag or a comment at a ``<``; gives where it ends."""
        text = self.text
        if text.startswith("<!--", at):
            return self._after("-->", at + 4)
        if text.startswith(("<!", "<?"), at):
            return self._after(">", at)
        match = _TAG.match(text, at)
        if match is None:
            self._words.append("<")
            return at + 1
        name, end = match[2].lower(), match.end()
        while (part := _TAG_PART.search(text, end)) is not None and part[0] != ">":
            end = self._after(part[0][-1], part.end())
        if part is None:
            return len(text)
        if name in _APART:
            self._end_line()
            self._words.append(f"[{match[1]}quote]")
            self._end_line()
        elif name in _STRUCK:
            self._words.append("~~")
        elif _BLOCK.fullmatch(name):
            self._end_line()
        elif name in _CELLS and not match[1]:
            self._words.append("\t")
        if name in ("meta", "link") and part.start() - at < 4000:
            self._head(name, text[at : part.start()])
        if match[1] or name not in _RAW:
            return part.end()
        # Pass over an element whose text is not shown.
        closing = re.compile(rf"</{name}\b", re.IGNORECASE).search(text, part.end())
        end = closing.start() if closing is not None else len(text)
        if name == "title":
            self.title = self.title or _unescaped(text[part.end() : end][:2000]).strip()
        return end

    def _head(self, name: str, tag: str) -> None:
        """The title and the address of the page that its head tells."""
        given = {key.lower(): _unescaped(one or other) for key, one, other in _ATTRIBUTE.findall(tag)}
        if name == "meta" and given.get("property") == "og:title":
            self.title = given.get("content") or self.title
        elif name == "meta" and given.get("property") == "og:url":
            self.address = self.address or given.get("content") or ""
        elif name == "link" and given.get("rel") == "canonical":
            self.address = given.get("href") or self.address

    def _after(self, mark: str, begin: int) -> int:
        end = self.text.find(mark, begin)
        return len(self.text) if end < 0 else end + len(mark)

    def _data(self, begin: int, end: int) -> None:
        if begin == end:
            return
        if not self._words:
            self._line += self.text.count("\n", self._counted, begin)
            self._counted, self._begins = begin, self._line
        self._words.append(_unescaped(self.text[begin:end]).replace("\n", " ").replace("\r", " "))

    def _end_line(self) -> None:
        text = _tidy("".join(self._words)).strip()
        if text:
            cells = [cell.strip() for cell in text.split("\t")]
            self.lines.append((self._begins, "\t".join(filter(None, cells))))
        self._words = []


def _unescaped(text: str) -> str:
    return html.unescape(_LONG_NUMBER.sub("", text)) if "&" in text else text

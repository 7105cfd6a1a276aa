"""Reads an HTML page as strictly as it has to be written."""

from __future__ import annotations

from collections import Counter
from html.parser import HTMLParser
from xml.etree.ElementTree import Element, fromstring

SVG = "{http://www.w3.org/2000/svg}"
EMPTY = {"meta", "path", "rect", "circle", "line", "polyline", "polygon", "use", "stop"}
"""Elements that may end as they begin."""


class Reader(HTMLParser):
    """What a page consists of. An element that is not closed, an id given twice, a link within the page that
    leads nowhere, a script, and anything that would be fetched are faults."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.unclosed: list[str] = []
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str, str]] = []
        self.feed(text)
        assert self.unclosed == [] and text.startswith("<!DOCTYPE html>")
        assert self.tags["style"] == 1 and self.tags["script"] == 0
        assert self.tags["link"] == 0 and "@import" not in text and "url(http" not in text
        names = {name for _, name, _ in self.attributes}
        assert "src" not in names and not any(name.startswith("on") for name in names)
        ids, links = self.values("id"), self.values("href")
        assert len(ids) == len(set(ids))
        assert links and {link[:1] for link in links} == {"#"} and {link[1:] for link in links} <= set(ids)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in ("meta", "br"):
            self.unclosed.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in EMPTY
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert tag == "meta" or self.unclosed.pop() == tag

    def values(self, attribute: str) -> list[str]:
        """All values of an attribute."""
        return [value for _, name, value in self.attributes if name == attribute]


def texts(picture: str) -> list[Element]:
    """The texts of an SVG picture."""
    return list(fromstring(picture).iter(f"{SVG}text"))

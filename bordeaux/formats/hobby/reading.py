"""Reads whole games of sites; the format is detected from the content."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bordeaux.board.errors import BordeauxError, FormatError, MapError, PositionError
from bordeaux.board.map import Map
from bordeaux.formats.hobby.assembly import document_of
from bordeaux.formats.hobby.backstabbr_pages import is_backstabbr, story_of_backstabbr
from bordeaux.formats.hobby.judge import is_judge, story_of_judge
from bordeaux.formats.hobby.listings import has_listing, story_of_listings
from bordeaux.formats.hobby.markup import Page, pages_of
from bordeaux.formats.hobby.orders_archive import is_orders_archive, story_of_archive
from bordeaux.formats.hobby.sheet import Story
from bordeaux.formats.hobby.webdiplomacy_json import is_webdiplomacy_json, story_of_json

__all__ = ["game_of_json", "game_of_pages", "is_site_game", "is_site_json"]


def is_site_json(document: Mapping[str, Any]) -> bool:
    """Whether a JSON document has a site's format of a game."""
    return is_webdiplomacy_json(document)


def game_of_json(document: Mapping[str, Any], map: Map | None = None) -> dict[str, Any]:
    """The saved game of such a document, in JSON with ``notes``. Raises FormatError."""
    return _made(story_of_json(document, map or Map.standard()), map)


def is_site_game(text: str, map: Map | None = None) -> bool:
    """Whether a text is certainly a game of a site: an orders archive, results of a judge, or several pages
    of Backstabbr. One page of Backstabbr is a position too, and lists of orders are ambiguous."""
    try:
        pages = pages_of(text)
    except FormatError:
        return False
    if any(is_orders_archive(page) or is_judge(page) for page in pages):
        return True
    return sum(is_backstabbr(page) for page in pages) > 1


def game_of_pages(text: str, map: Map | None = None) -> dict[str, Any] | None:
    """The saved game of pages or copied text, in JSON with ``notes``; several pages are separated by a form
    feed. None if the format is unknown. Raises FormatError with advice if the format is known but gives no
    game."""
    board = map or Map.standard()
    story = _story(pages_of(text), board)
    return None if story is None else _made(story, map)


def _story(pages: list[Page], map: Map) -> Story | None:
    if archive := [page for page in pages if is_orders_archive(page)]:
        return story_of_archive(archive, map)
    if judged := [page for page in pages if is_judge(page)]:
        return story_of_judge(judged, map)
    if scripts := [page for page in pages if is_backstabbr(page)]:
        return story_of_backstabbr(scripts, map)
    if listed := [page for page in pages if has_listing(page, map)]:
        return story_of_listings(listed, map)
    return None


def _made(story: Story, map: Map | None) -> dict[str, Any]:
    try:
        return document_of(story, map or Map.standard())
    except (MapError, PositionError) as error:
        raise FormatError(f"{story.site}: {error}") from None
    except BordeauxError as error:
        raise FormatError(str(error)) from None

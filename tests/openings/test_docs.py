"""What docs/book.md shows is run as it stands, and names what there is."""

from __future__ import annotations

import json
import re
from pathlib import Path

from bordeaux.openings import Book
from bordeaux.openings.making.rules import Rules

PAGE = (Path(__file__).parents[2] / "docs" / "book.md").read_text("utf-8")


def test_python_runs() -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert blocks
    for text in blocks:
        exec(compile(text, "docs/book.md", "exec"), {})


def test_the_head_of_the_page_is_the_head_of_a_book() -> None:
    [shown] = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert set(json.loads(shown)) == set(Book.load().header)


def test_every_rule_is_on_the_page() -> None:
    for name in Rules.load().to_json():
        assert name in PAGE, name

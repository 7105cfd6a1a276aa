"""The examples of the language digest: what is legal at which level, and the answers to what is not."""

import re
from pathlib import Path

import pytest

from bordeaux.daide import language as d
from bordeaux.daide.language.grammar import grammar

LINE = re.compile(r"L(-|\d+)\s+([CS])\s+(.*)")
SIDES: dict[str, d.Side] = {"C": "client", "S": "server"}


@pytest.fixture(scope="module")
def digest(shared_data: Path) -> str:
    return (shared_data.parent / "daide" / "LANGUAGE.md").read_text("utf-8")


def level_of(written: str) -> int:
    return d.NOBODY if written == "-" else int(written)


def answer(error: d.LanguageError) -> str:
    """The reply to an error, as text."""
    assert error.reply is not None
    return d.text(error.reply)


def valid(digest: str) -> list[tuple[int, d.Side, str]]:
    """(lowest level, side, text) of each valid example."""
    block = digest.partition("```examples\n")[2].partition("```")[0]
    matches = [LINE.match(line) for line in block.splitlines()]
    assert all(matches)
    return [(level_of(match[1]), SIDES[match[2]], match[3]) for match in matches if match]


def invalid(digest: str) -> list[tuple[int, str, list[str]]]:
    """(level, text, replies) of each invalid example, all of them from clients."""
    examples: list[tuple[int, str, list[str]]] = []
    for line in digest.partition("```invalid\n")[2].partition("```")[0].splitlines():
        if match := LINE.match(line):
            examples.append((level_of(match[1]), match[3], []))
        else:
            examples[-1][2].append(line.strip().removeprefix("=> "))
    return examples


def test_examples_are_legal_at_their_level_and_come_back_in_every_form(digest: str) -> None:
    examples = valid(digest)
    assert len(examples) == 36
    for level, side, text in examples:
        tokens = d.tokens_from_text(text)
        body = d.encode(tokens)
        assert len(body) == 2 * len(tokens)
        assert d.tokens_from_bytes(body) == tokens
        value = d.read(tokens, side=side, level=level)
        d.check(tokens, side=side, level=level)
        assert d.tokens(value) == tokens
        assert d.text(value) == str(value) == text
        assert d.encode(value) == body
        assert type(value).__name__ == tokens[0]


def test_examples_are_illegal_one_level_below_their_own(digest: str) -> None:
    levels = grammar().levels
    for level, side, text in valid(digest):
        if level != d.NOBODY:
            below = levels[levels.index(level) - 1]
            with pytest.raises(d.LanguageError) as caught:
                d.read(text, side=side, level=below)
            assert caught.value.kind == "level", text
            assert answer(caught.value).startswith("HUH (")


def test_observers_may_say_just_what_everybody_may(digest: str) -> None:
    for level, side, text in valid(digest):
        for standing in ("observer", "unknown"):
            if side == "client" and level != d.NOBODY:
                with pytest.raises(d.LanguageError):
                    d.check(text, level=8000, standing=standing)
            elif side == "client":
                d.check(text, level=0, standing=standing)


def test_invalid_examples_get_the_reply_that_they_ask_for(digest: str) -> None:
    examples = invalid(digest)
    assert len(examples) == 16
    answered = 0
    for level, text, replies in examples:
        if replies[0].startswith(("PRN", "HUH")):
            for ask in (d.read, d.check):
                with pytest.raises(d.LanguageError) as caught:
                    ask(text, level=level)
                assert [answer(caught.value)] == replies
            answered += 1
        else:
            # It is said rightly; whether it can be done is for the server to know.
            message = d.read(text, level=level)
            assert d.text(message) == text
            for reply in replies:
                assert d.text(d.read(reply, side="server", level=level)) == reply
    assert answered == 10


def test_try_lists_the_tokens_that_the_digest_does(digest: str) -> None:
    lines = digest.partition("Levels: 10 PRP")[2].partition(". CHO")[0]
    expected = {"CHO": 50, "BCC": 120}
    for part in f"10 PRP{lines}".replace("\n", " ").split(";"):
        level, *tokens = part.split()
        expected |= dict.fromkeys(tokens, int(level))
    assert d.press_levels() == expected

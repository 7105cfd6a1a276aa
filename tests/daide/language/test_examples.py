"""The examples of the language digest: what is legal at which level, and the answers to what is not."""

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bordeaux.board.errors import FormatError
from bordeaux.daide import language as d
from bordeaux.daide.language.grammar import grammar
from bordeaux.daide.language.matching import NOTHING, Match, whole
from tests.daide.language.oracle import Oracle
from tests.daide.language.sentences import Sentences
from tests.daide.recorded import Recorded, mutated, recorded, recorded_files
from tests.patience import examples

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


def test_invalid_examples_get_the_reply_that_they_ask_for(digest: str) -> None:
    examples = invalid(digest)
    assert len(examples) == 16
    answered = 0
    for level, text, replies in examples:
        if replies[0].startswith(("PRN", "HUH")):
            with pytest.raises(d.LanguageError) as caught:
                d.read(text, level=level)
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


# What the package's server says that the language does not have (read with `lenient`).
QUIRKS: dict[str, Callable[[d.Value], bool]] = {
    "SCO lists powers that own nothing, and UNO when all centres are owned": lambda value: (
        isinstance(value, d.SCO) and any(not group.provinces for group in value.centres)
    ),
    "ORD has MTO VIA for a convoyed move and leaves its goal out": lambda value: (
        isinstance(value, d.ORD) and isinstance(value.order, d.VIA)
    ),
}


@pytest.fixture(scope="module")
def conversations() -> list[Recorded]:
    files = recorded_files()
    if not files:
        pytest.skip("the PyPI package diplomacy, whose recorded messages this reads, is not installed")
    assert len(files) == 6
    different = {
        (conversation.side, conversation.tokens): conversation
        for path in files
        for conversation in recorded(path)
    }
    return list(different.values())


def test_every_recorded_message_comes_back_byte_for_byte(conversations: list[Recorded]) -> None:
    assert len(conversations) > 3000
    for side, _, tokens, source in conversations:
        body = d.encode(tokens)
        value = d.read(d.tokens_from_bytes(body), side=side, level=130, lenient=True)
        assert d.encode(value) == body, source
        assert d.encode(d.read(d.text(value), side=side, level=130, lenient=True)) == body, source


def test_what_is_not_daide_among_them_is_one_of_the_named_quirks(conversations: list[Recorded]) -> None:
    met = dict.fromkeys(QUIRKS, 0)
    for side, _, tokens, source in conversations:
        lenient = d.read(tokens, side=side, level=130, lenient=True)
        try:
            assert d.read(tokens, side=side, level=130) == lenient
        except d.LanguageError:
            names = [name for name, applies in QUIRKS.items() if applies(lenient)]
            assert len(names) == 1, source
            met[names[0]] += 1
    assert all(met.values()), met


LEVELS = [-1, 0, *range(10, 140, 10), 8000]

levels = st.sampled_from(LEVELS)
sides: st.SearchStrategy[d.Side] = st.sampled_from(["client", "server"])
randoms = st.randoms(use_true_random=False)


@settings(max_examples=examples(120), deadline=None)
@given(levels, sides, st.booleans(), randoms)
def test_whatever_the_grammar_says_goes_round(
    level: int, side: d.Side, lenient: bool, random: Random
) -> None:
    tokens = Sentences(level, random, lenient=lenient).say(side)
    value = d.read(tokens, side=side, level=level, lenient=lenient)
    assert d.tokens(value) == tokens
    assert d.tokens_from_text(d.text(value)) == tokens
    assert d.tokens_from_bytes(d.encode(value)) == tokens
    assert d.read(d.text(value), side=side, level=level, lenient=lenient) == value
    assert Oracle(tokens, level, lenient).error(side) is None


@settings(max_examples=examples(120), deadline=None)
@given(levels, sides, st.integers(1, 3), randoms)
def test_a_broken_message_is_answered_once_and_where_it_breaks(
    level: int, side: d.Side, times: int, random: Random
) -> None:
    tokens = mutated(Sentences(level, random).say(side), random, times)
    expected = Oracle(tokens, level).error(side)
    deep = lowest = 0
    for token in tokens:
        deep += {"(": 1, ")": -1}.get(str(token), 0)
        lowest = min(lowest, deep)
    try:
        value = d.read(tokens, side=side, level=level)
    except d.LanguageError as error:
        assert tokens[:1] == ("PRN",) or (error.kind == "brackets") == bool(deep or lowest)
        if tokens[:1] in (("PRN",), ("HUH",)):
            assert error.reply is None
        elif error.kind == "brackets":
            assert error.reply == d.PRN(tokens)
        else:
            assert error.at == expected
            assert error.reply == d.HUH((*tokens[:expected], "ERR", *tokens[expected:]))
            # The receiver can read the reply.
            assert d.read(d.tokens(error.reply), side="server", level=-1) == error.reply
    else:
        assert d.tokens(value) == tokens
        assert expected is None or tokens[0] == "PRN"


@settings(max_examples=examples(80), deadline=None)
@given(levels, st.sampled_from(["client", "server", "press", "order"]), st.booleans(), randoms)
def test_matching_gets_as_far_as_the_best_of_all_alternatives(
    level: int, rule: str, lenient: bool, random: Random
) -> None:
    if rule == "press" and level < 10:
        level = 10
    tokens = mutated(Sentences(level, random, lenient=lenient).say(rule), random, random.randrange(4))
    if d.unmatched(tokens) is None:
        match = Match(tokens, d.Vocabulary.standard())
        value = whole(rule, (level, lenient, None))(match, 0, len(tokens))
        wrong = match.furthest if value is NOTHING else None
        assert wrong == Oracle(tokens, level, lenient).error(rule)


@pytest.mark.parametrize(
    ("level", "side"),
    [
        (0, "client"),
        (0, "server"),
        (10, "client"),
        (10, "server"),
        *((level, "press") for level in LEVELS[3:]),
    ],
)
def test_every_level_says_more_than_the_one_below(level: int, side: d.Side) -> None:
    below = LEVELS[LEVELS.index(level) - 1]
    said = (Sentences(level, Random(seed)).say(side) for seed in range(300))
    assert any(Oracle(tokens, below).error(side) is not None for tokens in said)


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_text_may_be_a_string(text: str) -> None:
    message = d.read(d.tokens(d.ADM("x", text)))
    assert message == d.ADM("x", text)


@given(st.lists(st.integers(0, 0xFFFF)))
def test_any_tokens_go_over_the_wire_and_through_text(codes: list[int]) -> None:
    body = b"".join(code.to_bytes(2, "big") for code in codes)
    tokens = d.tokens_from_bytes(body)
    assert d.encode(tokens) == body
    assert d.encode(d.tokens_from_text(d.text(tokens))) == body


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SUB [", "cannot read '\\['"),
        ("SUBS", "cannot read 'SUBS'"),
        ("NME ('x) (", "cannot read"),
        ("8192", "'8192' is not -8192 to 8191"),
        ("-99999999999999999999", "is not -8192 to 8191"),
        ("'a' 'b'", "two strings touch"),
        ("'\ud800'", "half a character"),
        ("0x4C011", "cannot read"),
    ],
)
def test_what_is_no_token_is_refused(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        d.tokens_from_text(text)


def test_a_string_without_end_is_refused_in_no_time() -> None:
    with pytest.raises(FormatError):
        d.tokens_from_text("'" + "''x" * 100_000)

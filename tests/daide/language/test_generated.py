"""Messages made up from the grammar: whole ones come back as they were, broken ones get one right answer."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bordeaux.daide import language as d
from bordeaux.daide.language.automaton import automaton
from bordeaux.daide.language.reading import first_error
from tests.daide.language.oracle import Oracle
from tests.daide.language.sentences import Sentences
from tests.daide.mutations import mutated
from tests.fuzzing import examples

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
    d.check(tokens, side=side, level=level, lenient=lenient)
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
            # The reply can be read by whoever gets it.
            assert d.read(d.tokens(error.reply), side="server", level=-1) == error.reply
    else:
        assert d.tokens(value) == tokens
        assert expected is None or tokens[0] == "PRN"


@settings(max_examples=examples(80), deadline=None)
@given(levels, st.sampled_from(["client", "server", "press", "order"]), st.booleans(), randoms)
def test_the_automaton_gets_as_far_as_the_best_of_all_alternatives(
    level: int, rule: str, lenient: bool, random: Random
) -> None:
    if rule == "press" and level < 10:
        level = 10
    tokens = mutated(Sentences(level, random, lenient=lenient).say(rule), random, random.randrange(4))
    begin = automaton(rule, level, lenient).start
    assert first_error(begin, tokens, d.Vocabulary.standard()) == Oracle(tokens, level, lenient).error(rule)


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
    new = 0
    for seed in range(300):
        tokens = Sentences(level, Random(seed)).say(side)
        new += Oracle(tokens, below).error(side) is not None
    assert new

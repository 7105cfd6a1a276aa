"""The grammar file: how it is read, and what holds of the language as a whole."""

from random import Random
from typing import Any

import pytest

from bordeaux.board.errors import FormatError
from bordeaux.daide import language as d
from bordeaux.daide.language.grammar import Bracketed, Grammar, OneOf, Several, grammar
from bordeaux.daide.language.matching import VALUES, Match, choices
from bordeaux.daide.tokens import Vocabulary
from tests.daide.language.sentences import Sentences

LEVELS = [-1, 0, *range(10, 140, 10), 8000]


def test_levels_are_those_of_the_language() -> None:
    assert grammar().levels == LEVELS
    assert [grammar().level(level) for level in (-5, -1, 5, 10, 8001)] == [-1, -1, 0, 10, 8000]


def test_every_rule_is_used_and_every_token_is_known() -> None:
    known = set(Vocabulary.standard().codes)
    reached = {*grammar().lowest_levels("client"), *grammar().lowest_levels("server")}
    assert reached <= known
    text = {
        name
        for rule in grammar().rules.values()
        for alternative in rule.alternatives
        for name in names(alternative.parts)
    }
    assert set(grammar().rules) - text == {"server"}
    commands = {name for name, kind in Vocabulary.standard().categories.items() if kind == "command"}
    assert commands <= reached
    assert {rule.makes for rule in grammar().rules.values()} <= {"", "token", *VALUES}


def names(parts: object) -> set[str]:
    """The rules that parts refer to."""
    referred: set[str] = set()
    if isinstance(parts, tuple):
        rule = getattr(parts, "rule", None)
        referred |= {rule} if rule else set().union(*map(names, parts))
    return referred


@pytest.mark.parametrize("rule", [rule.name for rule in grammar().rules.values() if rule.makes != "token"])
def test_nothing_can_be_understood_in_two_ways(rule: str) -> None:
    """Each sentence of a rule has one value, whichever alternatives it may be."""
    for seed in range(100):
        tokens = Sentences(8000, Random(seed), lenient=True).say(rule)
        values = set()
        for _, step, build in choices(rule, (8000, True, None)):
            held: list[Any] = []
            if step(Match(tokens, Vocabulary.standard()), 0, held) == len(tokens):
                values.add(build(held))
        assert len(values) == 1


def test_the_file_is_read_into_parts() -> None:
    small = Grammar(
        "a -> Turn  # a comment\n  @-  season year:number?\n"
        "  @10~ B | ( c!B ) x:{ { P | Q } ( c ) }+\nc\n  @0 C\n"
    )
    first, second, third = small.rules["a"].alternatives
    assert [str(part) for part in first.parts] == [
        "OneOfClass(name='season', label='season', repeat='')",
        "OneOfClass(name='number', label='year', repeat='?')",
    ]
    assert (second.level, second.lenient, second.head) == (10, True, ("B",))
    bracketed, several = third.parts
    assert isinstance(bracketed, Bracketed) and bracketed.parts[0] == ("c", "B", "c", "")
    assert isinstance(several, Several)
    choice = several.parts[0]
    assert isinstance(choice, OneOf) and choice.tokens == ("P", "Q")
    assert small.levels == [-1, 0, 10]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\n  @0 ( B", "line 2: there is no '\\)'"),
        ("a\n  @0 B )", "line 2: '\\)' is too many"),
        ("a\n  @0 { b | C D }", "between more than tokens"),
        ("a\n  @0 ( B | C )", "within brackets"),
        ("a\n  @0 B ?? !", "cannot be read"),
        ("a\n  0 B", "neither a rule"),
        ("a\n  @0 b", "a refers to b"),
    ],
)
def test_a_bad_grammar_is_refused(text: str, message: str) -> None:
    with pytest.raises(SyntaxError, match=message):
        Grammar(text)


LONDON = d.Unit("ENG", "FLT", d.Place("LON"))


@pytest.mark.parametrize(
    ("args", "named"),
    [((), {}), ((LONDON,), {}), ((LONDON, 1, 2), {}), ((LONDON,), {"goal": 1}), ((LONDON, 1), {"unit": 2})],
)
def test_wrong_fields_are_refused(args: tuple[Any, ...], named: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="MTO"):
        d.MTO(*args, **named)


@pytest.mark.parametrize(
    "value",
    [
        d.ORD(d.SeasonYear("SPR", 1901)),
        d.MIS((), 3),
        d.IFF(d.DRW(), None),  # type: ignore[arg-type]
        d.PRP([d.DRW()]),  # type: ignore[arg-type]
        d.Text("half \ud800"),
    ],
)
def test_what_cannot_be_said_is_refused(value: d.Value) -> None:
    with pytest.raises(FormatError):
        d.tokens(value)


def test_numbers_and_names_beyond_the_vocabulary_are_refused() -> None:
    with pytest.raises(FormatError, match="8192 is no number from -8192 to 8191"):
        d.encode(d.TME(8192))
    with pytest.raises(FormatError, match="no token 'XYZ'"):
        d.encode(d.CCD("XYZ"))


def classes(value: object) -> set[type]:
    """The classes of a value and of all it holds."""
    inner = set().union(*map(classes, value)) if isinstance(value, tuple) else set()
    return inner | {type(value)} if isinstance(value, d.Value) else inner


def test_every_class_can_be_said() -> None:
    kinds = set(VALUES.values())
    met: set[type] = set()
    for side in ("client", "server", "press"):
        for seed in range(600):
            tokens = Sentences(8000, Random(seed), lenient=True).say(side)
            met |= classes(d.read_part(side, tokens, lenient=True))
    # Read apart from the grammar, as its brackets need not match.
    met.add(type(d.read("PRN (()")))
    assert met == kinds
    assert all(kind.__doc__ for kind in kinds)

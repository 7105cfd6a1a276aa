"""The grammar file: how it is read, and what holds of the language as a whole."""

from random import Random
from typing import Any

import pytest

from bordeaux.board.errors import FormatError
from bordeaux.daide import language as d
from bordeaux.daide.language.automaton import VALUES, Automaton, State, Stuck
from bordeaux.daide.language.grammar import Bracketed, Grammar, OneOf, Several, grammar
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


@pytest.mark.parametrize("rule", ["client", "server"])
def test_nothing_can_be_understood_in_two_ways(rule: str) -> None:
    """Walk through all states: what a bracket holds has one value, whichever alternatives it may be."""
    machine = Automaton(rule, 8000, True)
    symbols = {*Vocabulary.standard().symbols.values(), "number", "("}
    seen: set[tuple[State, State | None]] = set()
    inside: dict[State, set[State]] = {}
    waiting: list[tuple[State, State | None]] = [(machine.start, None)]
    while waiting:
        state, outer = waiting.pop()
        if (state, outer) in seen:
            continue
        seen.add((state, outer))
        # `any` takes what it holds as it is, whatever else is going on there.
        sources = {form.source for form in state.ends if not form.free}
        assert len(sources) <= 1 or outer is not None
        for symbol in symbols - {")"}:
            try:
                after = state[symbol]
            except Stuck:
                continue
            if symbol == "(":
                inside.setdefault(state, set()).add(after)
                waiting.append((after, state))
            else:
                waiting.append((after, outer))
        if outer is not None and state.ends:
            complete = [form for form in state.ends if expected(form.shape, outer)]
            assert len({form.source for form in complete}) == 1
            after, _ = state.leave(outer)
            waiting += [(after, further) for outer_state, further in list(seen) if outer_state is outer]
    assert 100 < len(machine) < 1000


def expected(shape: object, state: State) -> bool:
    return any(shape in step.shapes for form, at in state.places for step in form.steps[at : at + 1])


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
        ("a\n  @0 ( B", "line 2: .* has no '\\)'"),
        ("a\n  @0 B )", "line 2: .* has '\\)' too many"),
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
    named = {getattr(d, name) for name in d.__all__}
    kinds = {kind for kind in named if isinstance(kind, type) and issubclass(kind, d.Value)} - {d.Value}
    met: set[type] = set()
    for side in ("client", "server", "press"):
        for seed in range(600):
            tokens = Sentences(8000, Random(seed), lenient=True).say(side)
            met |= classes(d.read_part(side, tokens, lenient=True))
    # Read apart from the grammar, as its brackets need not match.
    met.add(type(d.read("PRN (()")))
    assert met == kinds
    assert all(kind.__doc__ for kind in kinds)

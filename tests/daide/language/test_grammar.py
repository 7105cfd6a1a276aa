"""The grammar file: how it is read, and what holds of the language as a whole."""

import pytest

from bordeaux.daide.language.automaton import VALUES, Automaton, State, Stuck
from bordeaux.daide.language.grammar import Bracketed, Grammar, OneOf, Several, grammar
from bordeaux.daide.tokens import Vocabulary

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


@pytest.mark.parametrize("lenient", [False, True])
@pytest.mark.parametrize("rule", ["client", "server"])
def test_nothing_can_be_understood_in_two_ways(rule: str, lenient: bool) -> None:
    """Walk through all states: what a bracket holds has one value, whichever alternatives it may be."""
    machine = Automaton(rule, 8000, lenient)
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

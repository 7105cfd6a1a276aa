"""Conversations that another program's server and clients had: all of it reads, and comes back as it was."""

from collections.abc import Callable

import pytest

from bordeaux.daide import language as d
from tests.daide.recorded import Recorded, recorded, recorded_files

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

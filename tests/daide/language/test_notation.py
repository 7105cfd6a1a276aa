"""Tokens as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bordeaux.board.errors import FormatError
from bordeaux.daide import language as d


def test_text_may_have_any_case_and_any_spaces() -> None:
    tokens = ("HST", "(", "SPR", 1901, ")", "0x4C0F", -5)
    assert d.tokens_from_text(" hst(Spr\n1901 ) 0x4c0f -5 ") == tokens
    assert d.text(tokens) == "HST (SPR 1901) 0x4C0F -5"
    assert d.tokens_from_text("") == ()


def test_strings_keep_what_they_hold() -> None:
    assert d.tokens_from_text("ADM ('It''s') ('')") == ("ADM", "(", "'I", "'t", "''", "'s", ")", "(", ")")
    assert d.text(("'(", "' ", "')", "''")) == "'( )'''"
    assert d.tokens_from_text("'é'") == ("'Ã", "'©")
    assert d.read("ADM ('é') ('x')") == d.ADM("é", "x")


@given(st.lists(st.integers(0, 255), min_size=1))
def test_any_bytes_may_be_a_string(data: list[int]) -> None:
    tokens = ("ADM", "(", "'x", ")", "(", *(f"'{chr(byte)}" for byte in data), ")")
    message = d.read(tokens)
    assert d.tokens(message) == tokens
    assert d.tokens_from_text(d.text(message)) == tokens


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

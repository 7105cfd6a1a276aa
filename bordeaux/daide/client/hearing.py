"""The press that another power understands, as far as it is known.

There is no way to ask. Three things are evidence: the words that a power uses itself, the list of words in
its ``TRY``, and its answers with ``HUH``. Programs are inconsistent about them. Albert sends an empty list
and still sends press, and it refuses a form of words that it accepts elsewhere. So a word counts as
understood if it is listed or was used. A form of words that was once not understood is not repeated. Source:
LANGUAGE.md, section 11.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from bordeaux.daide import language as d

__all__ = ["Hearing", "forms"]

Form = tuple[str, ...]
"""A word with its enclosing words, the outermost first: ``FCT NOT`` for the NOT in ``FCT (NOT (...))``."""

#: Messages that expect an answer to everything that they list.
_ASKING = frozenset({"PRP", "INS", "SUG", "QRY"})
_ANSWERS = frozenset({"YES", "REJ", "BWX", "IDK"})


class Hearing:
    """What one power understands."""

    def __init__(self) -> None:
        self.used: set[str] = set()
        self.listed: frozenset[object] | None = None
        self.refused: set[Form] = set()

    def uses(self, press: d.Tokens) -> None:
        """It has sent press with these words."""
        words = d.press_levels()
        self.used.update(token for token in press if isinstance(token, str) and token in words)

    def lists(self, words: Collection[object]) -> None:
        """It has listed the words that it understands (``TRY``), possibly only one that it has refused."""
        self.listed = frozenset(words)
        self.refused = {form for form in self.refused if len(form) > 1 or form[0] not in self.listed}

    def refuses(self, press: d.Tokens) -> None:
        """It has not understood press, with ``ERR`` before the place (``HUH``)."""
        place = press.index("ERR") if "ERR" in press else 0
        form = _form_at((*press[:place], *press[place + 1 :]), place)
        if form:
            self.refused.add(form)

    def understands(self, press: d.Tokens) -> bool:
        """Whether it understands press, as far as is known."""
        if self.refused.intersection(forms(press)):
            return False
        if self.listed is None:
            return True
        known = self.listed | self.used | (_ANSWERS if self.used & _ASKING else frozenset())
        return all(form[-1] in known for form in forms(press))


def forms(press: d.Tokens) -> Iterator[Form]:
    """Every word of press with its neighbours."""
    for place, token in enumerate(press):
        if isinstance(token, str) and token in d.press_levels():
            yield _form_at(press, place)


def _form_at(press: d.Tokens, place: int) -> Form:
    """The word at a place, or else the last one before it, with its neighbours; empty for none."""
    words = d.press_levels()
    while place >= 0 and not (place < len(press) and press[place] in words):
        place -= 1
    if place < 0:
        return ()
    around: list[str] = []
    for number, token in enumerate(press[:place]):
        if token == "(":
            before = press[number - 1] if number else ""
            around.append(before if isinstance(before, str) and before in words else "")
        elif token == ")" and around:
            around.pop()
    return (*filter(None, around), str(press[place]))

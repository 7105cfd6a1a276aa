"""Press on a server that carries text: sentences for people, or DAIDE text for bots.

The package's own DAIDE port puts press into messages as DAIDE text, ``PRP ( PCE ( ENG FRA ) )``; people write
English. Every sender is answered in the form that it used last. `bordeaux.press.language.english.understand`
parses the messages; others are not answered.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.daide import language as d
from bordeaux.daide.press import message_of, press_of
from bordeaux.press.language import messages as p
from bordeaux.press.language.english import sentence, understand
from bordeaux.press.language.letter import Letter

__all__ = ["Correspondence", "Form"]

Form: TypeAlias = Literal["english", "daide"]


class Correspondence:
    """Writes and reads the letters of `power`; `form` is for powers that have not written yet."""

    def __init__(self, map: Map, power: str, form: Form = "english") -> None:
        self.map = map
        self.power = power
        self.form = form
        self._vocabulary = d.Vocabulary.for_map(map)
        self._forms: dict[str, Form] = {}
        self._heard: dict[str, p.Message] = {}
        self._said: dict[str, p.Message] = {}

    def write(self, press: d.Press, to: str) -> str | None:
        """The text of press to a power; None if it cannot be expressed in the recipient's form."""
        said = None if isinstance(press, d.HUH | d.TRY) else message_of(press, self.map)
        if isinstance(said, p.Propose | p.Insist):
            self._said[to] = said
        if self._forms.get(to, self.form) == "daide":
            return d.text(press)
        return None if said is None else sentence(Letter(self.power, (to,), said), self.map)

    def read(self, sender: str, text: str, position: Position) -> d.Press:
        """The press in a power's text. Raises BordeauxError if it cannot be understood."""
        form: Form = "daide"
        try:
            press: d.Press = d.read_part("press", text, vocabulary=self._vocabulary, lenient=True)
        except BordeauxError:
            form = "english"
            message = understand(
                text,
                speaker=sender,
                to=(self.power,),
                position=position,
                answering=self._said.get(sender),
                said=self._heard.get(sender),
            )
            press = press_of(message, self.map)
        self._forms[sender] = form
        if isinstance(press, d.PRP | d.INS):
            self._heard[sender] = message_of(press, self.map)
        return press

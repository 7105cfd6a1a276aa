"""A cabinet of France, or of another, at a table where what others say is up to the test."""

from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.engine import Engine
from bordeaux.press.diplomat.diplomat import Diplomat
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import Letter

MAP = Map.standard()
START = Position.start()


def diplomat(power: str, level: int = 130, nature: str = "honest") -> Diplomat:
    """A diplomat with an engine of its own."""
    return Diplomat(MAP, power, Engine(seed=1), level=level, nature=nature)


def opened(of: Diplomat, position: Position = START, level: int = 130) -> list[Letter]:
    """What it says first."""
    return list(of.open_talks(position, level))


def agree(of: Diplomat, other: str, term: p.Term) -> None:
    """Have it agree with another upon a term that the other proposes; it must say yes."""
    said = p.Propose(term)
    (reply,) = of.hear(Letter(other, (of.power,), said))
    assert reply == Letter(of.power, (other,), p.Accept(said)), reply


def replies(of: Diplomat, other: str, message: p.Message) -> list[p.Message]:
    """What it answers to a message."""
    letters = list(of.hear(Letter(other, (of.power,), message)))
    assert all(letter.sender == of.power and letter.to == (other,) for letter in letters)
    return [letter.message for letter in letters]

"""A game that is played in a study, as a value: the content of its file, and the rules of its stages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import pairwise
from types import NoneType
from typing import Any

from bordeaux.arena.game import messages_of
from bordeaux.arena.guard import patience
from bordeaux.board import pieces
from bordeaux.board.errors import FormatError, quote
from bordeaux.players.base import Limit, Turn
from bordeaux.players.registry import admitted
from bordeaux.press.language.json_form import message_from_json, to_json
from bordeaux.press.language.letter import Letter
from bordeaux.rules import adjudicate
from bordeaux.rules.outcome import survivors
from bordeaux.rules.rulesets import rules_named
from bordeaux.web.study import Orders, Study
from bordeaux.web.table import YOU, Past, Question, Sitting

__all__ = [
    "ORDERS",
    "OVER",
    "TALK",
    "WAIT",
    "StudyGame",
    "after_talks",
    "game_of_study",
    "letter_to_json",
    "opened",
    "with_all_messages",
    "with_messages",
]

TALK, WAIT, ORDERS, OVER = "talk", "wait", "orders", "over"
"""Stages of a phase: the players begin the talks, the person is waited for, the players give orders; and the
end."""
STATUS = {TALK: "thinking", ORDERS: "thinking", WAIT: "waiting", OVER: "over"}
STALE = 5
"""Years without a change of centres that end a game in which no person plays on."""
MOST_FAULTS = 20
MOST_SECONDS, MOST_NODES = 600, 1_000_000
KINDS: dict[str, tuple[type, ...]] = {
    "players": (dict,),
    "seed": (int,),
    "time": (int, float, NoneType),
    "nodes": (int, NoneType),
    "level": (int,),
    "until": (int, NoneType),
    "node": (str,),
    "stage": (str,),
    "letters": (dict,),
    "waiting": (list,),
    "given": (dict,),
    "draw": (list, tuple),
    "over": (str, NoneType),
    "faults": (list, tuple),
}
"""The types of a game's fields in a file."""
MOST_PASSED = 4
"""Phases between two nodes; more than three in a row need no orders only in a game that is over."""

Letters = list[dict[str, Any]]


@dataclass(frozen=True)
class StudyGame:
    """A game in a study. `players` are specs by power, `YOU` for the person's. `time` and `nodes` are the
    limit of a phase, `until` is the last year (None: none). `node` is the present phase, `stage` the stage in
    it. `letters` has all messages, by node, in the order of delivery. `waiting` has the person's messages
    that the players have not received yet. `given` are the person's orders for this phase, `draw` the powers
    for which they accept a draw in it. `over` says how the game ended, `faults` lists faults of players.
    Raises BordeauxError for a player that not everybody may ask for, and for a limit beyond `MOST_SECONDS` or
    `MOST_NODES`: a study may come from anywhere.
    """

    players: dict[str, str]
    seed: int = 0
    time: float | None = None
    nodes: int | None = None
    level: int = 0
    until: int | None = None
    node: str = "0"
    stage: str = WAIT
    letters: dict[str, Letters] = field(default_factory=dict)
    waiting: Letters = field(default_factory=list)
    given: Orders = field(default_factory=dict)
    draw: tuple[str, ...] = ()
    over: str | None = None
    faults: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for spec in set(self.players.values()) - {YOU}:
            admitted(spec)
        for value, most, unit in ((self.time, MOST_SECONDS, "seconds"), (self.nodes, MOST_NODES, "nodes")):
            if value is not None and not 0 < value <= most:
                raise FormatError(f"players have {most:,} {unit} a phase at most, not {quote(value)}")

    @property
    def you(self) -> list[str]:
        """The person's powers."""
        return [power for power, spec in self.players.items() if spec == YOU]

    def to_json(self) -> dict[str, Any]:
        """The game in the form that is saved with the study."""
        return asdict(self)

    def told(self) -> dict[str, Any]:
        """The game in the form for the page. `patience` are the seconds after which a player is stopped."""
        return {
            "you": self.you,
            "players": self.players,
            "status": STATUS[self.stage],
            "over": self.over,
            "level": self.level,
            "patience": patience(Limit(self.time, self.nodes)),
            "node": self.node,
            "draw": list(self.draw),
            "faults": list(self.faults),
        }

    def blamed(self, lines: Iterable[str]) -> StudyGame:
        """The game with additional faults."""
        return replace(self, faults=(*self.faults, *lines)[-MOST_FAULTS:])

    def sitting(self, study: Study) -> Sitting:
        """The players by seat."""
        seats = tuple(self.players[power] for power in study.map.powers)
        return Sitting(study.id, study.map, seats, self.seed, Limit(self.time, self.nodes), self.level)

    def question(self, study: Study, letter: Letter | None = None) -> Question:
        """The question to the players at the present stage, or about a new letter."""
        return Question(
            self.sitting(study),
            tuple(self._past(study)),
            study.position(self.node),
            self.stage != TALK,
            tuple(self.said(study, self.node)),
            letter,
            self.stage == ORDERS,
            self.draw,
        )

    def said(self, study: Study, node: str) -> list[Letter]:
        """The letters of a phase."""
        return [letter_from_json(letter, study) for letter in self.letters.get(node, ())]

    def _past(self, study: Study) -> Iterator[Past]:
        """The earlier phases, including those that were skipped because no power had to give orders."""
        for parent, child in pairwise(study.line(self.node)):
            before, goal = study.position(parent.id), study.position(child.id)
            orders: Mapping[str, Sequence[str]] = child.orders
            letters = tuple(self.said(study, parent.id))
            for _ in range(MOST_PASSED):
                after = adjudicate(before, orders, rules_named(child.rules)).after
                yield Past(Turn(before, orders, after), letters)
                if after.phase == goal.phase:
                    break
                before, orders, letters = after, {}, ()


def game_of_study(study: Study) -> StudyGame | None:
    """The game that is played in a study, if any. Raises FormatError for invalid data."""
    if study.play is None:
        return None
    try:
        given = dict(study.play)
        for name, kinds in KINDS.items():
            if name in given and (isinstance(given[name], bool) or not isinstance(given[name], kinds)):
                raise FormatError(f"{name} is {quote(given[name])}")
        if not all(isinstance(letters, list) for letters in given.get("letters", {}).values()):
            raise FormatError("letters are no lists")
        given["draw"], given["faults"] = tuple(given["draw"]), tuple(given["faults"])
        game = StudyGame(**given)
    except (TypeError, KeyError, ValueError, AttributeError) as error:
        raise FormatError(f"the game of study {study.id} cannot be read: {error}") from None
    if game.stage not in STATUS or set(game.players) != set(study.map.powers):
        raise FormatError(f"the game of study {study.id} cannot be read: {quote(game.stage)}")
    return game


def letter_to_json(letter: Letter) -> dict[str, Any]:
    """A letter in saved form."""
    return {"sender": letter.sender, "to": list(letter.to), "message": to_json(letter.message)}


def letter_from_json(given: object, study: Study) -> Letter:
    """The letter from its saved form. Raises FormatError."""
    what = "a letter"
    saved = pieces.table(given, what)
    (sender,) = pieces.string_list([pieces.field(saved, "sender", what)], "the sender of a letter")
    to = pieces.string_list(pieces.field(saved, "to", what), "the recipients of a letter")
    message = message_from_json(pieces.field(saved, "message", what), study.map)
    return Letter(study.map.power(sender), tuple(map(study.map.power, to)), message)


def opened(study: Study, game: StudyGame) -> StudyGame:
    """The game at the beginning of its present phase: over, or at the first stage that needs a player or the
    person."""
    end = ending(study, game)
    if end is not None:
        return replace(game, stage=OVER, over=end, given={}, draw=(), waiting=[])
    stage = TALK if game.level else after_talks(study, game)
    return replace(game, stage=stage, given={}, draw=(), waiting=[])


def after_talks(study: Study, game: StudyGame) -> str:
    """The stage after the talks: it waits for the person if one of their powers must give orders."""
    return WAIT if set(game.you) & set(study.position(game.node).orderable()) else ORDERS


def ending(study: Study, game: StudyGame) -> str | None:
    """The result of the game at its present phase; None if it continues."""
    position = study.position(game.node)
    if (victor := position.victor) is not None and position.phase.kind in "-AM":
        return f"{victor} has won"
    if position.phase.kind == "-":
        return "the game is over"
    if game.until is not None and position.phase.year > game.until:
        return f"the game was to end with {game.until}"
    if game.you and not set(game.you) & set(survivors(position)):
        return f"{' and '.join(game.you)} {'is' if len(game.you) == 1 else 'are'} eliminated"
    if not game.you and unchanged(study, game.node) >= STALE:
        return f"no centre has changed hands for {STALE} years"
    return None


def unchanged(study: Study, node: str) -> int:
    """Complete years without a change of centres before a node."""
    owners = study.position(node).owners
    year = last = study.position(node).phase.year
    for earlier in reversed(study.line(node)):
        position = study.position(earlier.id)
        if position.owners != owners:
            break
        last = position.phase.year
    return year - last


def with_messages(study: Study, game: StudyGame, node: str, letters: Sequence[Letter]) -> Study:
    """The study with additional letters of a phase that the person may read."""
    position = study.position(node)
    kept = study.node(node).messages
    seen = [
        letter for letter in letters if game.over is not None or {letter.sender, *letter.to} & set(game.you)
    ]
    return (
        study.changed_node(node, messages=(*kept, *messages_of(seen, position, len(kept)))) if seen else study
    )


def with_all_messages(study: Study, game: StudyGame) -> Study:
    """The study of a finished game, with all its messages."""
    for node in game.letters:
        if node in study.nodes:
            study = study.changed_node(node, messages=())
            study = with_messages(study, game, node, game.said(study, node))
    return study

"""Games that are played in studies: their file and stages as values; players asked, answers applied, input
taken; new ones, and who may play in them."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import pairwise
from types import NoneType
from typing import Any

from bordeaux.arena.game import messages_of
from bordeaux.arena.guard import patience
from bordeaux.board import pieces
from bordeaux.board.errors import BordeauxError, FormatError, quote
from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.board.submission import submit
from bordeaux.jobs.background import BackgroundRoom, BackgroundTask, GivenUp, background
from bordeaux.players import limits, registry
from bordeaux.players.base import Limit, Turn
from bordeaux.players.catalogue import CATALOGUE
from bordeaux.players.registry import admitted
from bordeaux.press.language import messages as p
from bordeaux.press.language.english import sentence, understand
from bordeaux.press.language.json_form import message_from_json, to_json
from bordeaux.press.language.letter import Letter, Talker
from bordeaux.press.language.levels import FREE_TEXT, LEVELS
from bordeaux.rules import adjudicate
from bordeaux.rules.outcome import survivors
from bordeaux.rules.rulesets import rules_named
from bordeaux.studies.intake import study_of_position
from bordeaux.studies.orders import given_orders
from bordeaux.studies.store import StudyHost, named
from bordeaux.studies.study import Orders, Refused, Study
from bordeaux.studies.table import YOU, Answer, Past, Question, Sitting, answer

TALK, WAIT, ORDERS, OVER = "talk", "wait", "orders", "over"
"""Stages of a phase: the players begin the talks, the person is waited for, the players give orders; and the
end."""
STATUS = {TALK: "thinking", ORDERS: "thinking", WAIT: "waiting", OVER: "over"}
STALE = 5
"""Years without a change of centres that end a game in which no person plays on."""
MOST_FAULTS = 20
MOST_SECONDS, MOST_NODES = 600, 1_000_000
KINDS: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("players", "letters", "given"), (dict,)),
    **dict.fromkeys(("seed", "level"), (int,)),
    **dict.fromkeys(("nodes", "until"), (int, NoneType)),
    **dict.fromkeys(("node", "stage"), (str,)),
    **dict.fromkeys(("draw", "faults", "hints"), (list, tuple)),
    "time": (int, float, NoneType),
    "waiting": (list,),
    "over": (str, NoneType),
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
    `hints` are the phases in which the person asked the engine. Raises BordeauxError for a player that not
    everybody may ask for, and for a limit beyond `MOST_SECONDS` or `MOST_NODES`: a study may come from
    anywhere.
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
    hints: tuple[str, ...] = ()

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

    @property
    def settled(self) -> bool:
        """Whether the players have nothing to do: the game is over, or waits for the person."""
        return self.stage == OVER or (self.stage == WAIT and not self.waiting)

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
            "hints": list(self.hints),
        }

    def question(self, study: Study, letter: Letter | None = None) -> Question:
        """The question to the players at the present stage, or about a new letter."""
        seats = tuple(self.players[power] for power in study.map.powers)
        limit = Limit(self.time, self.nodes)
        return Question(
            Sitting(study.id, study.map, seats, self.seed, limit, self.level),
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
        game = StudyGame(**given | {name: tuple(given.get(name, ())) for name in ("draw", "faults", "hints")})
    except (TypeError, KeyError, ValueError, AttributeError) as error:
        raise FormatError(f"the game of study {study.id} cannot be read: {error}") from None
    if game.stage not in STATUS or set(game.players) != set(study.map.powers):
        raise FormatError(f"the game of study {study.id} cannot be read: {quote(game.stage)}")
    return game


def letter_to_json(letter: Letter) -> dict[str, Any]:
    """A letter in saved form."""
    saved = {"sender": letter.sender, "to": list(letter.to), "message": to_json(letter.message)}
    return {**saved, "reason": letter.reason} if letter.reason else saved


def letter_from_json(given: object, study: Study) -> Letter:
    """The letter from its saved form. Raises FormatError."""
    what = "a letter"
    saved = pieces.table(given, what)
    (sender,) = pieces.string_list([pieces.field(saved, "sender", what)], "the sender of a letter")
    to = pieces.string_list(pieces.field(saved, "to", what), "the recipients of a letter")
    message = message_from_json(pieces.field(saved, "message", what), study.map)
    reason = str(saved.get("reason", ""))
    return Letter(study.map.power(sender), tuple(map(study.map.power, to)), message, reason)


def opened(study: Study, game: StudyGame) -> StudyGame:
    """The game at the beginning of its phase: over, or at the first stage that needs somebody."""
    over = ending(study, game)
    stage = OVER if over is not None else TALK if game.level else after_talks(study, game)
    return replace(game, stage=stage, over=over, given={}, draw=(), waiting=[])


def after_talks(study: Study, game: StudyGame) -> str:
    """The stage after the talks: it waits for the person if one of their powers must give orders."""
    return WAIT if set(game.you) & set(study.position(game.node).orderable()) else ORDERS


def ending(study: Study, game: StudyGame) -> str | None:
    """The result of the game at its present phase; None if it continues."""
    position, you = study.position(game.node), game.you
    if (victor := position.victor) is not None and position.phase.kind in "-AM":
        return f"{victor} has won"
    if position.phase.kind == "-":
        return "the game is over"
    if game.until is not None and position.phase.year > game.until:
        return f"{game.until} was the last year"
    if you and not set(you) & set(survivors(position)):
        return f"{' and '.join(you)} {'is' if len(you) == 1 else 'are'} eliminated"
    if not you and unchanged(study, game.node) >= STALE:
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
    position, kept, you = study.position(node), study.node(node).messages, set(game.you)
    seen = [letter for letter in letters if game.over is not None or {letter.sender, *letter.to} & you]
    if not seen:
        return study
    return study.changed_node(node, messages=(*kept, *messages_of(seen, position, len(kept))))


def with_all_messages(study: Study, game: StudyGame) -> Study:
    """The study of a finished game, with all its messages."""
    for node in game.letters:
        if node in study.nodes:
            study = study.changed_node(node, messages=())
            study = with_messages(study, game, node, game.said(study, node))
    return study


ASKING = (p.Propose, p.Insist, p.Suggest, p.Ask, p.AskUnit, p.AskAttack, p.Explain, p.If, p.Why)
"""Messages that yes and no may answer."""
BINDING = (p.Propose, p.Insist, p.Accept)
"""Messages that can be withdrawn."""
ROOMS = 4
"""Processes for the players of all games."""


class Games:
    """All games of a server. Their players live in up to `ROOMS` processes of their own, with at most one
    question of each game at a time. A game whose players think does not keep others waiting, unless so many
    think already. Methods may be called from any thread."""

    def __init__(self, host: StudyHost) -> None:
        self._host = host
        self._rooms: list[BackgroundRoom] = []
        self._room_of: dict[str, BackgroundRoom] = {}
        self._closed = False
        self._lock = threading.RLock()
        self._asked: dict[str, BackgroundTask] = {}

    def told(self, study: Study) -> dict[str, Any] | None:
        """The state of a study's game for the page. A game that the end of a server interrupted continues
        when the page asks for it."""
        try:
            game = game_of_study(study)
        except BordeauxError as error:
            self._host.log(str(error))
            return None
        if game is None:
            return None
        self.go_on(study.id)
        return game.told()

    def go_on(self, identity: str) -> None:
        """Ask the players of a game the next question, if there is one."""
        with self._lock:
            if identity in self._asked or self._closed:
                return
            try:
                study = self._host.store.get(identity)
                game = game_of_study(study)
                if game is None or game.settled:
                    return
                letter = None
                if game.waiting:
                    kept = replace(game, letters={"": game.waiting[:1]})
                    (letter,) = kept.said(study, "")
                    game = replace(game, stage=WAIT)
                question = game.question(study, letter)
            except BordeauxError as error:
                self._broken_off(identity, error)
                return

            def over(answer: Answer | None, error: Exception | None) -> None:
                self._answered(identity, question, answer, error)

            def heard(message: tuple[int, int, str]) -> None:
                done, all, power = message
                self._host.publish(identity, "thinking", {"done": done, "all": all, "power": power})

            self._asked[identity] = task = BackgroundTask(question, over, heard)
            self._room(identity).do(task)

    def submit(self, identity: str, orders: Mapping[str, Sequence[str]], draw: Iterable[str]) -> None:
        """Take the person's legal orders for the phase. Raises Refused if it is not their turn."""

        def change(study: Study, game: StudyGame) -> tuple[Study, StudyGame]:
            if game.stage != WAIT:
                raise Refused(409, "the phase is being played; wait for the next one")
            given = {power: list(texts) for power, texts in orders.items()}
            return study, replace(game, stage=ORDERS, given=given, draw=tuple(draw))

        self._change(identity, change)

    def hint(self, identity: str) -> str:
        """Note that the person asks the engine; returns the phase. Raises Refused out of turn."""

        def change(study: Study, game: StudyGame) -> tuple[Study, StudyGame]:
            if game.stage != WAIT:
                raise Refused(409, "a hint is given only while it is your turn")
            phase = study.node(game.node).phase
            return study, game if phase in game.hints else replace(game, hints=(*game.hints, phase))

        study, game = self._change(identity, change)
        return study.node(game.node).phase

    def say(self, identity: str, power: str, to: Sequence[str], text: str) -> str:
        """Send a message in plain English; returns it as understood, as a sentence, with what was left
        out. Raises BordeauxError with advice if it is not understood or not allowed."""
        sentences: list[str] = []

        def change(study: Study, game: StudyGame) -> tuple[Study, StudyGame]:
            letter, left = letter_of(study, game, power, to, text)
            sentences[:] = [sentence(letter, study.map) + (f" ({left})" if left else "")]
            study = with_messages(study, game, game.node, [letter])
            return study, replace(game, waiting=[*game.waiting, letter_to_json(letter)])

        self._change(identity, change)
        return sentences[0]

    def leave(self, identity: str, spec: str | None) -> None:
        """Let one of our players replace the person, or end the game if none is given."""

        def change(study: Study, game: StudyGame) -> tuple[Study, StudyGame]:
            if game.stage == OVER:
                raise Refused(409, "the game is over")
            if spec is None:
                return study, replace(game, stage=OVER, over="you have left the game", waiting=[])
            players = {player: spec if player in game.you else seat for player, seat in game.players.items()}
            stage = ORDERS if game.stage == WAIT else game.stage
            return study, replace(game, players=players, stage=stage)

        self._change(identity, change)
        if spec is None:
            self.give_up(identity)

    def give_up(self, identity: str) -> None:
        """Cancel the players' work on a game, so that other games need not wait."""
        with self._lock:
            task = self._asked.get(identity)
            if task is not None:
                self._room_of[identity].stop(task)

    def close(self) -> None:
        """End the players' processes. The next server continues the games."""
        with self._lock:
            self._closed = True
        for room in self._rooms:
            room.close()

    def _room(self, identity: str) -> BackgroundRoom:
        """The process for a game: where its players sit already if nobody else uses it, else an idle or new
        one, else the one with the fewest questions."""
        room = self._room_of.get(identity)
        if room is None or room.tasks:
            room = min(self._rooms, key=lambda room: room.tasks, default=None)
            if room is None or (room.tasks and len(self._rooms) < ROOMS):
                room = background(answer)
                self._rooms.append(room)
            self._room_of[identity] = room
        return room

    def _change(
        self, identity: str, change: Callable[[Study, StudyGame], tuple[Study, StudyGame]]
    ) -> tuple[Study, StudyGame]:
        """Change a study and the game in it, inform the tabs, and go on. Raises Refused without a game."""
        games: list[StudyGame] = []

        def changed(study: Study) -> Study:
            game = game_of_study(study)
            if game is None:
                raise Refused(409, f"no game is played in study {study.id}; begin one")
            study, after = change(study, game)
            if after.stage == OVER and game.stage != OVER:
                study = with_all_messages(study, after)
            games[:] = [game, after]
            return study if after is game else replace(study, play=after.to_json())

        with self._lock:
            before = self._host.store.get(identity)
            study = self._host.change(identity, changed)
            game, after = games
            self._tell(before, study, after)
            if game.told() != after.told():
                self._host.publish(identity, "play", after.told())
            self.go_on(identity)
        return study, after

    def _tell(self, before: Study, study: Study, game: StudyGame) -> None:
        """Inform the tabs of new messages in the finished phase."""
        for node in {game.node, *(() if before.play is None else (before.play["node"],))}:
            if node not in before.nodes or node not in study.nodes or game.stage == OVER:
                continue
            for message in study.nodes[node].messages[len(before.nodes[node].messages) :]:
                told = {"node": node, "sender": message["sender"], "recipients": message["letter"]["to"]}
                told |= {"text": message["message"], "time": message["time_sent"]}
                self._host.publish(study.id, "message", told)

    def _answered(
        self, identity: str, question: Question, answer: Answer | None, error: Exception | None
    ) -> None:
        with self._lock:
            self._asked.pop(identity, None)
            if isinstance(error, GivenUp):
                return  # the server ends; the next one asks again
            try:
                if answer is None:
                    raise error or BordeauxError("nothing came back")
                answered = answer
                self._change(identity, lambda study, game: taken(study, game, question, answered))
            except Exception as fault:
                self._broken_off(identity, fault)

    def _broken_off(self, identity: str, error: Exception) -> None:
        """End a game that cannot continue, with the reason."""
        text = " ".join(f"the game was broken off: {error}".split())
        self._host.log(text)

        def change(study: Study, game: StudyGame) -> tuple[Study, StudyGame]:
            after = replace(game, stage=OVER, over=text, waiting=[])
            try:
                with_all_messages(study, after)
            except BordeauxError:
                # The fault is in the letters: nobody can be told of them.
                after = replace(after, letters={})
            return study, after

        # Where the study has been deleted, nothing is left to be told.
        with contextlib.suppress(BordeauxError, OSError):
            self._change(identity, change)


def taken(study: Study, game: StudyGame, question: Question, answer: Answer) -> tuple[Study, StudyGame]:
    """The game after the players' answer, which is ignored if the game has advanced meanwhile."""
    if game.stage == OVER or study.position(game.node) != question.position:
        return study, game
    faults = [(study.map.powers[fault.seat], fault) for fault in answer.faults]
    lines = [
        f"{fault.phase}, {power} ({game.players[power]}): {fault.kind}: {fault.text}"
        for power, fault in faults
    ]
    game = replace(game, faults=(*game.faults, *lines)[-MOST_FAULTS:])
    kept = [*game.letters.get(game.node, ()), *map(letter_to_json, answer.letters)]
    game = replace(game, letters={**game.letters, game.node: kept})
    new = answer.letters if question.letter is None else answer.letters[1:]
    study = with_messages(study, game, game.node, new)
    if question.letter is not None:
        return study, replace(game, waiting=game.waiting[1:])
    if game.stage == TALK:
        return study, replace(game, stage=after_talks(study, game))
    if not question.orders or game.stage != ORDERS:
        return study, game
    if answer.draw:
        shared = ", ".join(survivors(question.position))
        return study, replace(game, stage=OVER, over=f"a draw was agreed: {shared}")
    return played(study, game, answer.orders)


def played(study: Study, game: StudyGame, theirs: Mapping[str, Sequence[Order]]) -> tuple[Study, StudyGame]:
    """The study after the phase was played, and the game at the beginning of the next."""
    orders: dict[str, Sequence[str | Order]] = dict(theirs)
    orders |= {power: game.given.get(power, []) for power in game.you}
    given = {power: listed for power, listed in orders.items() if listed}
    study, node = study.adjudicated(game.node, given, rules_named(study.rules))
    study = study.promoted(node)
    return study, opened(study, replace(game, node=node))


LONGEST_SAID = 1000
"""Characters of a message."""


def own_orders(study: Study, game: StudyGame, given: object) -> Orders:
    """A person's orders for the present phase from a request, by power. Raises BordeauxError for powers of
    others, and for unreadable and illegal orders."""
    position = study.position(game.node)
    orders = given_orders(position, given)
    for power in orders:
        if power not in game.you:
            raise BordeauxError(f"{power} is not yours in this game")
    submit(position, orders).legal()
    return orders


def letter_of(study: Study, game: StudyGame, power: str, to: Sequence[str], text: str) -> tuple[Letter, str]:
    """The letter that a person means, and what was left out of the text.

    Yes and no answer the last request or proposal of a recipient, preferably one without an answer, and go to
    all its recipients. A withdrawal concerns the last proposal to the recipients. Raises BordeauxError with
    advice, and Refused outside of talks."""
    position = study.position(game.node)
    if len(text) > LONGEST_SAID:
        raise FormatError(f"a message has at most {LONGEST_SAID} characters, not {len(text)}; shorten it")
    if not game.level:
        raise BordeauxError("this game has no press; begin one with a level of 10 or more")
    if power not in game.you:
        raise BordeauxError(f"{power} is not yours in this game")
    if game.stage != WAIT:
        thinking = "the players are thinking; say it when they wait for your orders"
        raise Refused(409, f"the game is over: {game.over}" if game.stage == OVER else thinking)
    alive = survivors(position)
    for other in to:
        if other not in alive or other == power:
            raise BordeauxError(f"{other} cannot be talked to; talk to another power that is in the game")
    if not to:
        raise BordeauxError("name at least one power to talk to")
    heard = [*game.said(study, game.node), *replace(game, letters={"": game.waiting}).said(study, "")]
    own = [letter for letter in heard if letter.sender == power]
    theirs = [letter for letter in heard if letter.sender in to and power in letter.to]
    answers = (letter.message for letter in own)
    answered = [said.message for said in answers if isinstance(said, p.Accept | p.Refuse | p.Decline)]
    unanswered = [letter for letter in theirs if letter.message not in answered]
    asked = last(unanswered, ASKING) or last(theirs, ASKING)
    bound = last([letter for letter in own if set(letter.to) & set(to)], BINDING)
    message, left = understand(
        text,
        speaker=power,
        to=to,
        position=position,
        answering=None if asked is None else asked.message,
        said=None if bound is None else bound.message,
        level=game.level,
    )
    match message:
        case p.Accept(what) | p.Refuse(what) | p.Decline(what) if asked is not None and what == asked.message:
            to = (asked.sender, *(party for party in asked.to if party not in (power, asked.sender)))
        case p.Cancel(what) if bound is not None and what == bound.message:
            to = bound.to
    return Letter(power, tuple(dict.fromkeys(to)), message), left


def last(letters: Sequence[Letter], kinds: tuple[type, ...]) -> Letter | None:
    """The last letter with a message of one of some kinds."""
    return next((letter for letter in reversed(letters) if isinstance(letter.message, kinds)), None)


SECONDS = 1.0
"""The default number of seconds that players have for a phase."""
NAMED = "bordeaux"
"""The player that has levels of strength."""


def checked(spec: str) -> str:
    """A player's spec. Raises BordeauxError if not everybody may ask for it, or if it cannot be made."""
    registry.admitted(spec)
    registry.check(spec)
    return spec


def offered() -> list[dict[str, str]]:
    """The players that the page offers, each with its name and a description, which says if it does not talk:
    levels of the engine, the strongest first, then all others by their specs."""
    players = [
        {
            "spec": NAMED if level.number == limits.FULL else f"{NAMED}:level={level.number}",
            "name": level.name,
            "told": level.line,
        }
        for level in reversed(limits.LEVELS)
    ]
    for name in registry.open_names():
        if name != NAMED:
            silent = "" if issubclass(CATALOGUE[name].kind(), Talker) else "; does not talk"
            players.append({"spec": name, "name": name, "told": registry.describe(name) + silent})
    return players


def new_game(
    board: Map,
    players: Mapping[str, str],
    *,
    limit: Limit,
    level: object = 0,
    seed: int = 0,
    until: int | None = None,
    name: str = "",
) -> Study:
    """The study of a new game, not yet kept. `players` has a spec for each power, `YOU` for the person's.
    `level` is that of the press. The other arguments are those of `StudyGame`. Raises FormatError, MapError
    and BordeauxError for what cannot be played."""
    given = {board.power(power): spec for power, spec in players.items()}
    missing = [power for power in board.powers if power not in given]
    if missing:
        nobody = f"'players' names nobody for {', '.join(missing)}"
        raise FormatError(f"{nobody}; each power needs a player or 'you'")
    if YOU not in given.values():
        raise FormatError("'players' has no 'you'; to watch programs play use bordeaux play")
    seats = {power: given[power] for power in board.powers}
    for spec in set(seats.values()) - {YOU}:
        checked(spec)
    if not isinstance(level, int) or isinstance(level, bool) or level not in LEVELS or level == FREE_TEXT:
        known = ", ".join(str(level) for level in LEVELS if level != FREE_TEXT)
        raise FormatError(f"'level' must be one of {known}, not {quote(level)}")
    if limit == Limit():
        limit = Limit(SECONDS)
    game = StudyGame(seats, seed, limit.time, limit.nodes, level, until)
    you = " and ".join(power.capitalize() for power in game.you)
    study = study_of_position(Position.start(board), named(name) or named(f"You as {you}"))
    # The id is known only when the study is kept, and seeds nothing.
    return replace(study, play=opened(study, replace(game, node=study.root.id)).to_json())

"""Games that are played in studies: asks the players, applies their answers, and takes the person's input."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bordeaux.arena.job import Fault
from bordeaux.board.errors import BordeauxError
from bordeaux.board.order import Order
from bordeaux.press.language import messages as p
from bordeaux.press.language.english import sentence, understand
from bordeaux.press.language.letter import Letter
from bordeaux.rules.outcome import survivors
from bordeaux.rules.rulesets import rules_named
from bordeaux.web.game import (
    ORDERS,
    OVER,
    TALK,
    WAIT,
    StudyGame,
    after_talks,
    game_of_study,
    letter_to_json,
    opened,
    with_all_messages,
    with_messages,
)
from bordeaux.web.house import House, Refused
from bordeaux.web.study import Study
from bordeaux.web.table import Answer, Question, answer
from bordeaux.web.workroom import GivenUp, RoomTask, Workroom

__all__ = ["Games"]

ASKING = (p.Propose, p.Insist, p.Suggest, p.Ask, p.AskUnit, p.AskAttack, p.Explain, p.If, p.Why)
"""Messages that yes and no may answer."""
BINDING = (p.Propose, p.Insist, p.Accept)
"""Messages that can be withdrawn."""
ROOMS = 4
"""Processes for the players of all games."""


class Games:
    """All games of a house. Their players live in up to `ROOMS` processes of their own, with at most one
    question of each game at a time. A game whose players think does not keep others waiting, unless so many
    think already. Methods may be called from any thread."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._rooms: list[Workroom] = []
        self._room_of: dict[str, Workroom] = {}
        self._closed = False
        self._lock = threading.RLock()
        self._asked: dict[str, RoomTask] = {}

    def told(self, study: Study) -> dict[str, Any] | None:
        """The state of a study's game for the page. A game that the end of a server interrupted continues
        when the page asks for it."""
        try:
            game = game_of_study(study)
        except BordeauxError as error:
            self._house.log(str(error))
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
                study = self._house.store.get(identity)
                game = game_of_study(study)
                if game is None or game.stage == OVER or (game.stage == WAIT and not game.waiting):
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
                self._house.hub.publish(identity, "thinking", {"done": done, "all": all, "power": power})

            self._asked[identity] = task = RoomTask(question, over, heard)
            self._room(identity).do(task)

    def submit(self, identity: str, orders: Mapping[str, Sequence[str]], draw: Iterable[str]) -> None:
        """Take the person's orders for the phase, all of them legal, and continue the game. Raises Refused if
        it is not the person's turn."""

        def change(study: Study, game: StudyGame) -> tuple[Study, StudyGame]:
            if game.stage != WAIT:
                raise Refused(409, "the phase is being played; wait for the next one")
            given = {power: list(texts) for power, texts in orders.items()}
            return study, replace(game, stage=ORDERS, given=given, draw=tuple(draw))

        self._change(identity, change)

    def say(self, identity: str, power: str, to: Sequence[str], text: str) -> str:
        """Send a message in plain English; returns it as understood, as a sentence. Raises BordeauxError with
        advice if it is not understood or not allowed."""
        sentences: list[str] = []

        def change(study: Study, game: StudyGame) -> tuple[Study, StudyGame]:
            letter = letter_of(study, game, power, to, text)
            sentences[:] = [sentence(letter, study.map)]
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

    def _room(self, identity: str) -> Workroom:
        """The process for a game: where its players sit already if nobody else uses it, else an idle or new
        one, else the one with the fewest questions."""
        room = self._room_of.get(identity)
        if room is None or room.tasks:
            room = min(self._rooms, key=lambda room: room.tasks, default=None)
            if room is None or (room.tasks and len(self._rooms) < ROOMS):
                room = Workroom(answer)
                self._rooms.append(room)
            self._room_of[identity] = room
        return room

    def _change(self, identity: str, change: Callable[[Study, StudyGame], tuple[Study, StudyGame]]) -> None:
        """Change a study and the game in it, inform the tabs, and continue the game. Raises Refused if no
        game is played in it."""
        games: list[tuple[StudyGame, StudyGame]] = []

        def changed(study: Study) -> Study:
            game = game_of_study(study)
            if game is None:
                raise Refused(409, f"no game is played in study {study.id}; begin one")
            study, after = change(study, game)
            if after.stage == OVER and game.stage != OVER:
                study = with_all_messages(study, after)
            games[:] = [(game, after)]
            return study if after is game else replace(study, play=after.to_json())

        with self._lock:
            before = self._house.store.get(identity)
            study = self._house.change(identity, changed)
            ((game, after),) = games
            self._tell(before, study, after)
            if game.told() != after.told():
                self._house.hub.publish(identity, "play", after.told())
            self.go_on(identity)

    def _tell(self, before: Study, study: Study, game: StudyGame) -> None:
        """Inform the tabs of new messages in the finished phase."""
        for node in {game.node, *(() if before.play is None else (before.play["node"],))}:
            if node not in before.nodes or node not in study.nodes or game.stage == OVER:
                continue
            known = len(before.nodes[node].messages)
            for message in study.nodes[node].messages[known:]:
                self._house.hub.publish(
                    study.id,
                    "message",
                    {
                        "node": node,
                        "sender": message["sender"],
                        "recipients": message["letter"]["to"],
                        "text": message["message"],
                        "time": message["time_sent"],
                    },
                )

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
        self._house.log(text)

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
    """The game after the players' answer to a question. If the game has advanced meanwhile, the answer is
    ignored."""
    if game.stage == OVER or study.position(game.node) != question.position:
        return study, game
    powers = study.map.powers
    game = game.blamed(fault_in_words(powers, game, fault) for fault in answer.faults)
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
    orders: dict[str, list[str | Order]] = {power: list(given) for power, given in theirs.items()}
    for power in game.you:
        orders[power] = list(game.given.get(power, ()))
    orders = {power: given for power, given in orders.items() if given}
    study, node = study.adjudicated(game.node, orders, rules_named(study.rules))
    study = study.promoted(node)
    return study, opened(study, replace(game, node=node))


def fault_in_words(powers: Sequence[str], game: StudyGame, fault: Fault) -> str:
    """A player's fault, in one line."""
    power = powers[fault.seat]
    return f"{fault.phase}, {power} ({game.players[power]}): {fault.kind}: {fault.text}"


def letter_of(study: Study, game: StudyGame, power: str, to: Sequence[str], text: str) -> Letter:
    """The letter that a person means. Yes and no answer the last request or proposal of a recipient,
    preferably one without an answer, and go to all its recipients. A withdrawal concerns the last proposal to
    the recipients. Raises BordeauxError with advice, and Refused outside of talks."""
    position = study.position(game.node)
    if not game.level:
        raise BordeauxError("this game has no press; begin one with a level of 10 or more")
    if power not in game.you:
        raise BordeauxError(f"{power} is not yours in this game")
    if game.stage != WAIT:
        raise Refused(409, "the players are thinking; say it when they wait for your orders")
    alive = survivors(position)
    for other in to:
        if other not in alive or other == power:
            raise BordeauxError(f"{other} cannot be talked to; talk to another power that is in the game")
    if not to:
        raise BordeauxError("name at least one power to talk to")
    heard = [*game.said(study, game.node), *replace(game, letters={"": game.waiting}).said(study, "")]
    own = [letter for letter in heard if letter.sender == power]
    theirs = [letter for letter in heard if letter.sender in to and power in letter.to]
    answered = [
        letter.message.message
        for letter in own
        if isinstance(letter.message, p.Accept | p.Refuse | p.Decline)
    ]
    asked = last([letter for letter in theirs if letter.message not in answered], ASKING) or last(
        theirs, ASKING
    )
    bound = last([letter for letter in own if set(letter.to) & set(to)], BINDING)
    message = understand(
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
    return Letter(power, tuple(dict.fromkeys(to)), message)


def last(letters: Sequence[Letter], kinds: tuple[type, ...]) -> Letter | None:
    """The last letter with a message of one of some kinds."""
    return next((letter for letter in reversed(letters) if isinstance(letter.message, kinds)), None)

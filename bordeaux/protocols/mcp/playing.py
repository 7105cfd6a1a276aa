"""Tools that play: games against our players, kept as files in the folder of studies."""

from __future__ import annotations

import re
import threading
from time import monotonic
from typing import Annotated

from pydantic import Field

from bordeaux.board.errors import BordeauxError, quote
from bordeaux.board.pieces import named_map
from bordeaux.board.submission import submit
from bordeaux.players.base import Limit
from bordeaux.players.limits import FULL, LEVELS, NAMES
from bordeaux.press.language.levels import HIGHEST, NO_PRESS
from bordeaux.protocols.mcp import answers
from bordeaux.protocols.mcp.desk import AgentDesk
from bordeaux.protocols.mcp.tools import AnyOrders, Detail, PowerName, of_one, outcomes, owed, without_orders
from bordeaux.rules.adjudication import order_results
from bordeaux.studies.details import messages_of, resolution_of
from bordeaux.studies.games import (
    LONGEST_SAID,
    OVER,
    WAIT,
    Games,
    StudyGame,
    checked,
    game_of_study,
    new_game,
    offered,
    own_orders,
)
from bordeaux.studies.orders import legal_draft
from bordeaux.studies.store import LONGEST_NAME
from bordeaux.studies.study import Refused, Study
from bordeaux.studies.table import YOU

MOST_GAMES = 8
"""Games that are played at once."""
LISTED, MOST_LISTED = 10, 100
PATIENCE, REPLIES = 120.0, 20.0
"""Seconds that a call waits for the orders of the others, and for their answers to a message."""
LOOK = 0.5
LAST_YEAR = 9999
STRENGTH = 5
"""The default strength of the others."""
STATUS = {WAIT: "waiting", OVER: "over"}

GameId = Annotated[str, Field(max_length=40, description="The id of a game, from new_game or list_games.")]
Mine = Annotated[str, Field(max_length=40, description="Your power, if you have several in this game.")]


class PlayingTools:
    """The tools; each is a method with typed arguments, and its first paragraph says what it is for."""

    def __init__(self, desk: AgentDesk) -> None:
        self.desk = desk
        self.games = Games(desk)
        desk.closing.append(self.games.close)
        self._open: set[str] = set()
        self._lock = threading.Lock()

    def list_players(self) -> answers.PlayersOffered:
        """The players that new_game can seat, with a description of each."""
        return {"players": {player["spec"]: f"{player['name']}: {player['told']}" for player in offered()}}

    def new_game(
        self,
        power: PowerName,
        level: Annotated[
            int, Field(ge=1, le=FULL, description=f"Strength of the others: {NAMES}.")
        ] = STRENGTH,
        press: Annotated[bool, Field(description="Whether the powers may talk to each other.")] = False,
        players: Annotated[
            dict[str, str],
            Field(
                max_length=60,
                description='Other players by power, like {"ITALY": "dumbbot"}; see list_players.',
            ),
        ] = {},  # noqa: B006 - it is never changed
        seconds: Annotated[float, Field(gt=0, le=10, description="Seconds of each player in a phase.")] = 0.5,
        seed: Annotated[int, Field(ge=0, le=2**62, description="Seed of the players.")] = 0,
        until: Annotated[
            int | None, Field(ge=1, le=LAST_YEAR, description="The last year, like 1907.")
        ] = None,
        map: Annotated[str, Field(max_length=40, description="The map.")] = "standard",
        name: Annotated[
            str, Field(max_length=LONGEST_NAME, description="A name for the list of games.")
        ] = "",
    ) -> answers.GameState:
        """Begin a game as one power. The others are the engine at a level of strength, or named players. The
        game is a file in the folder of studies: its id takes it up again, also after a restart."""
        board = named_map(map)
        mine = board.power(power)
        others = f"bordeaux:level={level}" + (f",press={HIGHEST}" if press else "")
        seats = dict.fromkeys(board.powers, others)
        named = {board.power(other): spec for other, spec in players.items()}
        if mine in named:
            raise BordeauxError(f"{mine} is yours, and players names {quote(named[mine])} for it")
        seats |= named | {mine: YOU}
        board.check_end(until, "until")
        study = new_game(
            board,
            seats,
            limit=Limit(seconds),
            level=HIGHEST if press else NO_PRESS,
            seed=seed,
            until=until,
            name=name,
        )
        with self._lock:
            self._room()
            study = self.desk.store.add(study)
            self._open.add(study.id)
        return self._state(*self._settled(study.id, REPLIES), detail=True)

    def list_games(
        self, limit: Annotated[int, Field(ge=1, le=MOST_LISTED, description="How many to list.")] = LISTED
    ) -> answers.GameList:
        """List the newest games and studies in the folder, with their ids."""
        heads = self.desk.store.listed()
        rows: list[answers.Row] = []
        for head in heads[:limit]:
            status = head.get("error", "")
            if not status:
                game = game_of_study(self.desk.store.get(head["id"]))
                status = "a study" if game is None else STATUS.get(game.stage, "thinking")
            rows.append({"id": head["id"], "name": head["name"], "phase": head["phase"], "status": status})
        answer: answers.GameList = {"games": rows}
        if len(heads) > limit:
            answer["left_out"] = f"{len(heads) - limit} older ones"
        return answer

    def game_state(self, game: GameId, detail: Detail = False) -> answers.GameState:
        """The state of a game: the position, the messages of this phase, the results of the last one, your
        orders so far, and what to do next. With detail also the players, and reasons for all results."""
        self._take_up(game)
        return self._state(*self._settled(game, 0), detail=detail)

    def my_orders(self, game: GameId, orders: AnyOrders, power: Mine = "") -> answers.OrdersKept:
        """Set your orders for this phase; they replace those set before, and are given with next_phase. What
        is illegal is left out, and told."""
        study, playing = self._take_up(game)
        mine = self._mine(study, playing, power)
        if playing.stage != WAIT:
            raise Refused(409, _not_now(playing))
        position = study.position(playing.node)
        draft, faults = legal_draft(position, {mine: of_one(position, orders, mine)})

        def change(now: Study) -> Study:
            kept = {**now.node(playing.node).draft, **draft}
            return now.changed_node(
                playing.node, draft={name: texts for name, texts in kept.items() if texts}
            )

        self.desk.change(game, change, node=playing.node, what="draft")
        return {
            "game": game,
            "phase": str(position.phase),
            "orders": draft[mine],
            "wrong": [f"{fault['order']}: {fault['why']}" for fault in faults],
            "without_orders": without_orders(position, mine, draft[mine]),
        }

    def send_message(
        self,
        game: GameId,
        to: Annotated[
            list[Annotated[str, Field(max_length=40)]],
            Field(min_length=1, max_length=60, description='Powers, or ["all"].'),
        ],
        text: Annotated[
            str,
            Field(
                max_length=LONGEST_SAID,
                description="Plain English about peace, alliances, orders: 'I propose peace between us.'",
            ),
        ],
        power: Mine = "",
    ) -> answers.MessageSent:
        """Send a message to other powers, and wait for their answers. It is told how it was understood."""
        study, playing = self._take_up(game)
        mine, node = self._mine(study, playing, power), playing.node
        everybody = [other for other in study.map.powers if other != mine]
        named = [study.map.power(name) for name in to if name.lower() != "all"]
        others = named if len(named) == len(to) else everybody
        known = len(messages_of(study.node(node), study.map))
        understood = self.games.say(game, mine, others, text)
        study, _ = self._settled(game, REPLIES)
        return {"understood": understood, "replies": _letters(study, node)[known + 1 :]}

    def next_phase(
        self,
        game: GameId,
        hold: Annotated[bool, Field(description="Go on although you have set no orders.")] = False,
        draw: Annotated[bool, Field(description="Accept a draw of all survivors in this phase.")] = False,
        detail: Detail = False,
    ) -> answers.GameState:
        """Give your orders, let the others give theirs, and play the phase. Returns the new state with the
        results."""
        self._take_up(game)
        study, playing = self._settled(game, REPLIES)
        if playing.stage == OVER:
            raise Refused(409, _not_now(playing))
        if playing.stage == WAIT:
            orders = own_orders(study, playing, _draft(study, playing))
            if not any(orders.values()) and not hold:
                raise BordeauxError(
                    "you have set no orders: set them with my_orders, or pass hold=true to go on"
                )
            self.games.submit(game, orders, playing.you if draw else ())
        return self._state(*self._settled(game, PATIENCE), detail=detail)

    def leave_game(
        self,
        game: GameId,
        player: Annotated[
            str, Field(max_length=300, description="Who plays on for you; else the game ends.")
        ] = "",
    ) -> answers.GameState:
        """Leave a game: it ends, or another player goes on for you."""
        self._take_up(game)
        self.games.leave(game, checked(player) if player else None)
        with self._lock:
            self._open.discard(game)
        return self._state(*self._settled(game, 0), detail=False)

    def _take_up(self, identity: str) -> tuple[Study, StudyGame]:
        """A game of the folder, whose players go on. Raises Missing, and Refused if there is no game in that
        study, or if too many are played already."""
        study = self.desk.store.get(identity)
        game = game_of_study(study)
        if game is None:
            raise Refused(409, f"no game is played in study {identity}; begin one with new_game")
        with self._lock:
            if game.stage != OVER and identity not in self._open:
                self._room()
                self._open.add(identity)
        self.games.go_on(identity)
        return study, game

    def _room(self) -> None:
        """Raise Refused unless one more game can be played."""
        for identity in list(self._open):
            try:
                game = game_of_study(self.desk.store.get(identity))
            except BordeauxError:
                game = None
            if game is None or game.stage == OVER:
                self._open.discard(identity)
        if len(self._open) >= MOST_GAMES:
            raise Refused(409, f"{MOST_GAMES} games are played at once here; end one of them with leave_game")

    def _settled(self, identity: str, seconds: float) -> tuple[Study, StudyGame]:
        """A game as soon as nobody thinks, at the latest after some seconds."""
        ends = monotonic() + seconds
        self.games.go_on(identity)
        with self.desk.place("wait"):
            while True:
                number = self.desk.changes
                study = self.desk.store.get(identity)
                game = game_of_study(study)
                assert game is not None
                left = ends - monotonic()
                if game.settled or left <= 0 or self.desk.stopped():
                    return study, game
                self.desk.wait(number, min(left, LOOK))

    def _mine(self, study: Study, game: StudyGame, power: str) -> str:
        if not power:
            if not game.you:
                raise BordeauxError("none of the powers is yours any more in this game")
            return game.you[0]
        named_power = study.map.power(power)
        if named_power not in game.you:
            raise BordeauxError(
                f"{named_power} is not yours in this game; yours: {', '.join(game.you) or 'none'}"
            )
        return named_power

    def _state(self, study: Study, game: StudyGame, *, detail: bool) -> answers.GameState:
        position = study.position(game.node)
        due = {} if game.stage == OVER else owed(position)
        state: answers.GameState = {
            "game": study.id,
            "phase": str(position.phase),
            "status": STATUS.get(game.stage, "thinking"),
            "you": game.you,
            "what_next": _what_next(study, game),
            "your_orders": _draft(study, game),
            "must_order": {power: due[power] for power in game.you if power in due},
            "centres": {power: len(owned) for power, owned in position.centres.items()},
            "position": str(position),
            "messages": _letters(study, game.node),
            "last_results": _last_results(study, game, detail=detail),
        }
        if game.over is not None:
            state["over"] = game.over
        if detail:
            state["players"] = {power: _player(spec) for power, spec in game.players.items()}
        if game.faults:
            state["faults"] = list(game.faults)
        return state


def _player(spec: str) -> str:
    """A player in words: the name of its level, or else its spec."""
    plain = re.sub(r"[:,](?:press|character)=[^,]*", "", spec)
    return next(
        (f"{one.name} (level {one.number})" for one in LEVELS if plain == f"bordeaux:level={one.number}"),
        plain,
    )


def _draft(study: Study, game: StudyGame) -> dict[str, list[str]]:
    draft = study.node(game.node).draft
    return {power: list(draft[power]) for power in game.you if power in draft}


def _letters(study: Study, node: str) -> list[answers.Row]:
    return [
        {"sender": letter["sender"], "to": letter["recipients"], "text": letter["text"]}
        for letter in messages_of(study.node(node), study.map)
    ]


def _last_results(study: Study, game: StudyGame, *, detail: bool) -> dict[str, list[answers.Row]]:
    """The results of the phase before, by power."""
    node = study.node(game.node)
    if node.parent is None:
        return {}
    before = study.position(node.parent)
    rows = order_results(before, submit(before, node.orders).orders, resolution_of(study, node))
    return {power: outcomes(listed, detail=detail) for power, listed in rows.items() if listed}


def _not_now(game: StudyGame) -> str:
    if game.stage == OVER:
        return f"the game is over: {game.over}; begin another with new_game"
    return "the others are thinking; call game_state in some seconds"


def _what_next(study: Study, game: StudyGame) -> str:
    """What to do next, in one sentence."""
    if game.stage == OVER or not game.settled:
        return _not_now(game)
    talk = "; talk with send_message" if game.level else ""
    if _draft(study, game):
        return f"change your orders with my_orders, or play the phase with next_phase{talk}"
    return f"set your orders with my_orders (legal_orders and best_orders help), then next_phase{talk}"

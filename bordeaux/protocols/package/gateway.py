"""A server of the package behind the interface of a DAIDE server.

Notifications become messages, and messages become requests. A phase that was played comes as ORD, SCO and
NOW. SUB sets orders, and GOF clears the flag ``wait``, which delays the phase until the deadline. A draw is
a vote, and press is sent as text. Phases missed while the connection was lost are reported first.

Sources: the package's client and server, 1.1.2; LANGUAGE.md, sections 5 to 8.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from typing import Any

from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.notation import parse_order
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.daide import language as d
from bordeaux.daide import translate
from bordeaux.daide.client.bot import Bot, PlayerBot
from bordeaux.daide.client.link import AnyLink, LinkError, LinkLost
from bordeaux.daide.client.session import Session
from bordeaux.daide.press import message_of, press_of
from bordeaux.daide.tokens import MOST_NUMBER
from bordeaux.press.language import messages as p
from bordeaux.press.language.english import sentence, understand
from bordeaux.press.language.letter import Letter
from bordeaux.protocols.package.connection import AccountSeat, JoinedGame, TooLate, answer, enter

#: Deadlines of the package come in steps of a second, and the first step may end at once.
STEP = 1
PASSCODE = 0
_RESULTS = {
    "void": "NSO",
    "bounce": "BNC",
    "cut": "CUT",
    "no convoy": "DSR",
    "disrupted": "DSR",
    "dislodged": "RET",
    "disband": "RET",
}


def hello(token: str, level: int, deadline: int) -> d.HLO:
    """The beginning of a game for a power, with press up to a level, and seconds for a phase (0: none)."""
    options = [d.Option("LVL", level)]
    if deadline:
        limit = min(max(1, deadline - STEP), MOST_NUMBER)
        options += [d.Option(kind, limit) for kind in ("MTL", "RTL", "BTL")]
    return d.HLO(token, PASSCODE, tuple(options))


def seconds_left(schedule: Any) -> int:
    """Seconds to the deadline of the server's schedule, minus one step; may be 0."""
    left = (schedule.time_added + schedule.delay - schedule.current_time) * schedule.time_unit - STEP
    return min(int(left), MOST_NUMBER)


def order_text(value: d.Order, map: Map) -> str:
    """An order in the package's notation: a convoyed move does not name its seas."""
    return str(translate.order_of(value, map)[1]._replace(route=()))


def played_in(before: Position, data: Any) -> Iterator[d.ORD]:
    """The orders of a phase in the package's data, with their results. Orders that DAIDE cannot express had
    no effect, and are omitted."""
    turn = translate.turn_of(before.phase)
    for power, orders in data.orders.items():
        for text in orders or ():
            try:
                order = parse_order(text, before.map, before)
                value = translate.value_of(order, before.map.power(power), before)
            except (BordeauxError, KeyError):
                continue
            yield d.ORD(turn, value, _result(map(str, data.results.get(" ".join(text.split()[:2]), ()))))


def _result(words: Iterable[str]) -> tuple[str, ...]:
    """The result in the form of ORD: the result of the order, then whether the unit was dislodged."""
    tokens = [_RESULTS[word] for word in words if word in _RESULTS]
    first = [token for token in tokens if token != "RET"][:1]
    return (*first, *(["RET"] if "RET" in tokens else [])) or ("SUC",)


def result_of(note: str, map: Map) -> d.SLO | d.DRW:
    """The result in the note of a finished game, ``Victory by: FRA, GER``: a solo, or a draw of the named
    powers, or of all survivors if none is named."""
    named = note.partition(":")[2].replace(",", " ").split()
    winners = [map.tags[power] for power in map.powers if any(power.startswith(name) for name in named)]
    return d.SLO(winners[0]) if len(winners) == 1 else d.DRW(tuple(winners))


# The package's own DAIDE port puts press into messages as DAIDE text, ``PRP ( PCE ( ENG FRA ) )``; people
# write English. Every sender is answered in the form that it used last.
# `bordeaux.press.language.english.understand` parses the messages; others are not answered.


class Correspondence:
    """Writes and reads the letters of `power`."""

    def __init__(self, map: Map, power: str) -> None:
        self.map = map
        self.power = power
        self._vocabulary = d.Vocabulary.for_map(map)
        self._in_daide: set[str] = set()
        self._heard: dict[str, p.Message] = {}
        self._said: dict[str, p.Message] = {}

    def write(self, press: d.Press, to: str) -> str | None:
        """The text of press to a power; None if it cannot be expressed in the recipient's form."""
        said = None if isinstance(press, d.HUH | d.TRY) else message_of(press, self.map)
        if isinstance(said, p.Propose | p.Insist):
            self._said[to] = said
        if to in self._in_daide:
            return d.text(press)
        return None if said is None else sentence(Letter(self.power, (to,), said), self.map)

    def read(self, sender: str, text: str, position: Position) -> d.Press:
        """The press in a power's text. Raises BordeauxError if it cannot be understood."""
        try:
            press: d.Press = d.read_part("press", text, vocabulary=self._vocabulary, lenient=True)
            self._in_daide.add(sender)
        except BordeauxError:
            message, _ = understand(
                text,
                speaker=sender,
                to=(self.power,),
                position=position,
                answering=self._said.get(sender),
                said=self._heard.get(sender),
            )
            press = press_of(message, self.map)
            self._in_daide.discard(sender)
        if isinstance(press, d.PRP | d.INS):
            self._heard[sender] = message_of(press, self.map)
        return press


#: The maximum number of past phases sent to a client that joins late.
MOST_TOLD = 12
#: The level of press in a game that allows any level; the bot chooses how much of it to use.
OPEN_LEVEL = 8000
GLOBAL = "GLOBAL"
SYSTEM = "SYSTEM"
ACTIVE, COMPLETED, CANCELED = "active", "completed", "canceled"


class Gateway:
    """A connection to a game; make one with `open`. All of it runs in the event loop."""

    def __init__(
        self,
        partner: Joining,
        known: Phase | None,
        told: asyncio.Queue[d.Value | BordeauxError],
        entry: JoinedGame,
    ) -> None:
        self.partner, self.seat = partner, partner.seat
        self._known, self._told, self._entry = known, told, entry
        self._game, self._plays = entry.game, entry.plays
        self._wishes: asyncio.Queue[Callable[[], Awaitable[Any]]] = asyncio.Queue()
        self._begun = self._over = False
        self._ordered: Phase | None = None
        self._heard: Phase | None = None
        game = self._game
        self.map = Map.load(str(game.map_name))
        self.vocabulary = d.Vocabulary.for_map(self.map)
        self.power = self.map.power(game.role if self._plays else self.seat.power)
        self.level = 0 if "NO_PRESS" in game.rules else OPEN_LEVEL
        self.letters = partner.correspondence or Correspondence(self.map, self.power)
        partner.correspondence = self.letters
        self.position = self._position(game.get_state())
        game.add_on_game_processed(self._processed)
        game.add_on_game_phase_update(self._set)
        game.add_on_game_status_update(self._status_changed)
        game.add_on_game_message_received(lambda _, news: self._hear(news.message))
        game.add_on_powers_controllers(self._controllers_changed)
        game.add_on_game_deleted(lambda *_: self._tell(d.OFF()))
        self._working = asyncio.create_task(self._work())

    @classmethod
    async def open(cls, partner: Joining, known: Phase | None, returning: bool) -> Gateway:
        """Connect and join the game; `known` is the present phase at the time when the connection was lost.
        Raises LinkLost if there is no answer, LinkError if the server refuses."""
        told: asyncio.Queue[d.Value | BordeauxError] = asyncio.Queue()

        def lost(reason: str) -> None:
            told.put_nowait(LinkLost(reason))

        entry = await enter(partner.seat, partner.patience, lost, returning=returning)
        try:
            return cls(partner, known, told, entry)
        except BordeauxError as error:
            await entry.close()
            raise LinkError(f"{partner.seat.address}: {error}") from None

    @property
    def phase(self) -> Phase:
        """The present phase of the server."""
        return self.position.phase

    # What a session asks of a link.

    async def receive(self) -> d.Tokens:
        """The next message. Raises LinkLost when the connection has ended."""
        message = await self._told.get()
        if isinstance(message, BordeauxError):
            raise message
        if isinstance(message, d.NOW) and message.turn is not None:
            self._heard = translate.phase_of(message.turn)
        return d.tokens(message)

    async def flush(self) -> None:
        """Nothing: requests have a queue of their own."""

    async def close(self) -> None:
        """Drop what is still wished for, and close."""
        self._working.cancel()
        await self._entry.close()

    def send(self, message: d.Value) -> None:
        """Carry out the request of a message."""
        match message:
            case d.NME():
                self._tell(d.YES(message), d.MAP(self.map.name))
            case d.IAM():
                self._tell(d.YES(message))
            case d.MAP(None):
                self._tell(d.MAP(self.map.name))
            case d.MDF():
                self._tell(translate.mdf_of(self.map))
            case d.YES(d.MAP()):
                self._begin()
            case d.HLO():
                self._begun = True
                self._tell(self._hello())
            case d.NOW():
                self._situation()
            case d.TME():
                self._wish(self._clock)
            case d.SUB() if self._plays:
                self._wish(lambda: self._set_orders(message))
            case d.NOT(d.GOF()) if self._plays and self._up_to_date:
                self._wish_now(lambda: self._hold_up(message))
            case d.GOF() if self._plays and self._up_to_date:
                self._wish_now(self._go)
            case d.DRW() if self._plays:
                self._wish(lambda: self._asked(self._game.vote(vote="yes")))
            case d.NOT(d.DRW()) if self._plays:
                self._wish(lambda: self._asked(self._game.vote(vote="neutral")))
            case d.SND(_, to, press) if self._plays:
                self._wish_now(lambda: self._write(to, press))

    # Requests, one after the other.

    def _wish(self, wish: Callable[[], Awaitable[Any]]) -> None:
        self._wishes.put_nowait(wish)

    def _wish_now(self, wish: Callable[[], Awaitable[Any]]) -> None:
        """Request something for this phase only."""
        phase = self.phase

        async def timely() -> None:
            if self.phase == phase:
                await wish()

        self._wish(timely)

    @property
    def _up_to_date(self) -> bool:
        """Whether the session knows the present phase; otherwise its requests are for an earlier one."""
        return self._heard == self.phase

    async def _work(self) -> None:
        while True:
            wish = await self._wishes.get()
            try:
                await wish()
            except TooLate:
                # News of what came in between are on their way.
                continue
            except LinkError as error:
                self.partner.tell(str(error))
            except Exception as error:
                lost = error if isinstance(error, LinkLost) else LinkLost(f"{type(error).__name__}: {error}")
                self._told.put_nowait(lost)

    async def _asked(self, request: Awaitable[Any]) -> Any:
        return await answer(request, self.seat, self.partner.patience)

    async def _set_orders(self, message: d.SUB) -> None:
        if message.turn is None or translate.phase_of(message.turn) != self.phase:
            self._tell(d.REJ(message))
            return
        texts = [order_text(order, self.map) for order in message.orders]
        phase = self.phase
        try:
            await self._asked(self._game.set_orders(orders=texts))
        except LinkError:
            self._tell(d.REJ(message))
            raise
        self._ordered = phase
        self._tell(*(d.THX(order, "MBV") for order in message.orders))

    async def _hold_up(self, message: d.Value) -> None:
        await self._asked(self._game.wait())
        self._tell(d.YES(message))

    async def _go(self) -> None:
        """Set an empty set of orders if there is none: the server requires one from a power that has nothing
        to order."""
        if self._ordered != self.phase:
            self._ordered = self.phase
            await self._asked(self._game.set_orders(orders=[]))
        await self._asked(self._game.no_wait())

    async def _write(self, to: Iterable[str], press: d.Press) -> None:
        from diplomacy.engine.message import Message

        public = "PUBLIC_PRESS" in self._game.rules
        for power in map(self.map.power, to):
            text = self.letters.write(press, power)
            if text is None:
                continue
            recipient = GLOBAL if public else power
            message = Message(sender=self.power, recipient=recipient, phase=str(self.phase), message=text)
            await self._asked(self._game.send_game_message(message=message))
            self.partner.letter(self.power, recipient, text, press)
            if public:
                break

    async def _clock(self) -> None:
        """Report the seconds to the deadline; a game without one, or a waiting one, reports that it is
        alive."""
        try:
            schedule = (await self._asked(self._game.query_schedule())).schedule
        except LinkError:
            self._tell(d.REJ(d.TME()))
            return
        left = seconds_left(schedule)
        self._tell(d.TME(left) if 0 < left <= self._game.deadline else d.REJ(d.TME()))

    # News.

    def _tell(self, *messages: d.Value) -> None:
        for message in messages:
            self._told.put_nowait(message)

    def _lost(self, reason: str) -> None:
        self._told.put_nowait(LinkLost(reason))

    def _position(self, state: Mapping[str, Any]) -> Position:
        return Position.from_json(state, self.map)

    def _hello(self) -> d.HLO:
        return hello(self.map.tags[self.power], self.level, self._game.deadline)

    def _begin(self) -> None:
        """Report that the game has begun."""
        if self._begun or self._game.status != ACTIVE:
            return
        self._begun = True
        self._tell(self._hello())
        self._situation()
        self._wish(self._clock)

    def _situation(self) -> None:
        """Report missed phases, and the present position."""
        for data in self._missed():
            before = self._position(data.state)
            if before.phase != self._known:
                self._tell(translate.sco_of(before), translate.now_of(before))
            self._tell(*played_in(before, data))
        self._now()
        self._known = self.phase
        for message in list(self._game.messages.values()):
            self._hear(message)
        if self._game.status in (COMPLETED, CANCELED):
            self._end(self._game.status, str(self._game.note))

    def _missed(self) -> list[Any]:
        """The data of the phases that were played since the known one, in order, including it."""
        names = [str(name) for name in self._game.state_history]
        if self._known is not None and str(self._known) not in names:
            return []
        first = 0 if self._known is None else names.index(str(self._known))
        return list(self._game.get_phase_history())[first:][-MOST_TOLD:] if names else []

    def _now(self) -> None:
        if self.phase.kind != "-":
            self._tell(translate.sco_of(self.position), translate.now_of(self.position))

    def _processed(self, _: Any, news: Any) -> None:
        """A phase was played. What cannot be read of it ends the connection, not the library's own task."""
        try:
            self._next(news.previous_phase_data, news.current_phase_data)
        except BordeauxError as error:
            self._told.put_nowait(LinkError(f"{self.seat.address}: {error}"))

    def _next(self, previous: Any, current: Any) -> None:
        before = self._position(previous.state)
        self.position = self._position(current.state)
        self._known = self.phase
        if before.phase.kind != "-":
            self._tell(*played_in(before, previous))
        self._now()
        if self.phase.kind == "-":
            self._end(COMPLETED, str(current.state.get("note", "")))

    def _set(self, _: Any, news: Any) -> None:
        """The game's master has set another position."""
        self._lost(f"{self.seat.address} has set the game to {news.phase_data.name}")

    def _status_changed(self, _: Any, news: Any) -> None:
        if news.status == CANCELED:
            self._end(CANCELED, "")
        elif news.status == ACTIVE and self._begun:
            self._wish(self._clock)
        elif news.status == ACTIVE:
            self._begin()
        elif self._begun and news.status != COMPLETED:
            self.partner.tell(f"the game is {news.status}")

    def _controllers_changed(self, _: Any, news: Any) -> None:
        """A power that missed a deadline may be removed; it rejoins while nobody else has it."""
        if self._plays and news.powers.get(self.power) != self.seat.name:
            self._lost(f"{self.seat.address} has put {self.power} out")

    def _hear(self, message: Any) -> None:
        """A message to us or to all, unless it is known already."""
        if message.time_sent in self.partner.heard_letters or message.sender == self.power:
            return
        self.partner.heard_letters.add(message.time_sent)
        if message.sender == SYSTEM:
            self.partner.tell(f"the server says: {message.message}")
            return
        press = None
        with contextlib.suppress(BordeauxError):
            sender = self.map.power(message.sender)
            if message.phase == str(self.phase) and self.level:
                press = self.letters.read(sender, message.message, self.position)
                to = self.map.powers if message.recipient == GLOBAL else (self.power,)
                tags = tuple(self.map.tags[power] for power in to if power != sender)
                self._tell(d.FRM(self.map.tags[sender], tags, press))
        self.partner.letter(message.sender, message.recipient, message.message, press)

    def _end(self, status: str, note: str) -> None:
        """The result from the note of the last position, ``Victory by: FRA, GER``."""
        if self._over:
            return
        self._over = True
        if status == COMPLETED:
            self._tell(result_of(note, self.map))
        self._tell(d.OFF())


#: Seconds that a server may be unreachable: a restarted one must load its games.
COMEBACK = 300.0


class JoinSession(Session):
    """A session that speaks to the package's server."""

    def __init__(self, bot: Joining) -> None:
        super().__init__(bot)
        self._partner = bot
        # Every power holds the phase up until it says that it need not wait.
        self.awaits_go = True

    async def open_link(self) -> AnyLink:
        """Sign in and join the game. A server that was killed may have lost the last phases; then the session
        forgets them too."""
        gateway = await Gateway.open(self._partner, self.table.phase, self.table.started)
        self.table.rewind(gateway.phase)
        return gateway


class Joining(Bot):
    """The additions of a bot on the package's server: it has a seat, and writes letters as text. What it has
    written and heard is kept over all connections; `heard_letters` are the server's time stamps."""

    session_class = JoinSession

    def __init__(self, seat: AccountSeat, *args: Any, **rest: Any) -> None:
        super().__init__(seat.address, *args, **{"comeback": COMEBACK, **rest})
        self.seat = seat
        self.correspondence: Correspondence | None = None
        self.heard_letters: set[int] = set()

    def letter(self, sender: str, to: str, text: str, press: d.Press | None) -> None:
        """Called for a message that was sent or received; `press` is None if it was not understood. `to` is a
        power, or GLOBAL for all. Runs in the event loop."""


class JoinBot(Joining):
    """Plays the power of an `AccountSeat` with Bordeaux's search. All is as for `Bot`, except that the server
    may be unreachable for `COMEBACK` seconds."""


class JoinPlayerBot(Joining, PlayerBot):
    """Plays the power of an `AccountSeat` with any player that `bordeaux.players.registry` can create, as
    `PlayerBot` does."""

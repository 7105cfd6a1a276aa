"""The interface of a bot for the session that runs its game: settings, and methods to override."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping

from bordeaux.board.cleaning import clean
from bordeaux.board.errors import BordeauxError, quote
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.daide import language as d
from bordeaux.daide.client.envoy import TALK, Envoy
from bordeaux.daide.client.table import Table
from bordeaux.daide.client.thinking import Orders, stopped
from bordeaux.engine import Engine
from bordeaux.jobs import available_cores
from bordeaux.openings.book import Book
from bordeaux.players.base import Limit, Turn
from bordeaux.press.diplomat.cabinet.headquarters import Briefing
from bordeaux.press.diplomat.diplomat import Diplomat
from bordeaux.press.diplomat.payoffs import character as character_of
from bordeaux.press.language.letter import Talker
from bordeaux.rules.rulesets import DAIDE
from bordeaux.search.task import MOST_THREADS

#: Years without a change of centres after which a draw is proposed.
FROZEN_YEARS = 3
#: A power that needs at most so many centres for a solo is about to win.
NEARLY = 2


log = logging.getLogger(__name__)

#: The customary port of DAIDE servers.
PORT = 16713
#: The name and version in the summary of a game.
NAME = "Bordeaux"
MOST_NAME = 64


class Client:
    """A bot without its conversation with the server, as `Session` and `PhasePlay` use it; `Bot` describes
    its arguments. Raises BordeauxError for invalid arguments."""

    def __init__(
        self,
        address: str,
        *,
        name: str = NAME,
        version: str = "",
        time: float | None = None,
        nodes: int | None = None,
        seed: int = 0,
        level: int = 10,
        talk: float = TALK,
        claim: tuple[str, int] | None = None,
        patience: float = 30.0,
        comeback: float = 60.0,
        book: Book | None = None,
        threads: int | None = None,
        character: str = "honest",
    ) -> None:
        self.address = address
        self.host, self.port = address_of(address)
        self.name = _printable("name", name)
        from bordeaux import __version__

        self.version = _printable("version", version or __version__)
        self.time = 5.0 if time is None and nodes is None else time
        self.nodes = nodes
        self.seed = seed
        self.talk = talk
        self.claim = claim
        self.patience = patience
        self.comeback = comeback
        self.character = character_of(character)
        self.table = Table()
        self.envoy = Envoy(self.table, level)
        self._owners: tuple[str | None, ...] = ()
        self._changed = 0
        self.engine = Engine(seed=seed, threads=threads or min(available_cores(), MOST_THREADS), book=book)
        self.last_orders: Mapping[str, Iterable[str | Order]] = {}

    # What a bot of your own may do otherwise.

    def introduction(self) -> d.Value:
        """The first message to a server at which we have not joined yet."""
        return d.NME(self.name, self.version)

    def begin(self) -> None:
        """The game has begun: the table has power, map and options. Runs in the event loop."""

    def talker(self, position: Position, power: str) -> Talker | None:
        """The talker of the power, from its first phase on, by default a diplomat if the game and we use any
        press; None for no talks, when press is left unanswered. Runs in the event loop, once. The talker
        itself is called in the thread of `orders`, before it."""
        if not self.envoy.level:
            return None
        level, nature = self.envoy.own_level, self.character
        return Diplomat(position.map, power, self.engine, level=level, nature=nature)

    def briefing(self, position: Position) -> Briefing:
        """The constraints and seeds for the search of a phase's orders: from the talker if it is a
        `Diplomat`, else none. Runs in the thread of `orders`."""
        talker = self.envoy.talker
        return talker.briefing(position) if isinstance(talker, Diplomat) else Briefing(())

    def orders(self, position: Position, power: str, limit: Limit) -> Orders | Iterator[Orders]:
        """Orders for a phase in which the power must give some: one set, or an iterator of better and better
        sets, which are sent as they come. Runs in a thread of its own, one phase at a time. It must keep to
        the limit; an iterator may call `stopped` to see whether to end earlier. Units without an order
        hold."""
        briefing = self.briefing(position)
        improvements = self.engine.improvements(
            position,
            power,
            time=limit.time,
            nodes=limit.nodes,
            previous=self.last_orders,
            agreements=briefing.agreements,
            seeds=briefing.seeds,
            rules=DAIDE,
            stop=stopped,
        )
        return (answer.orders for answer in improvements)

    def observe(self, turn: Turn) -> None:
        """Process a phase that has been played. Runs in the thread of `orders`, before it. The orders are
        those that the server has reported, possibly only our own. The engine updates its beliefs from them,
        and a `Diplomat` its record of promises."""
        if isinstance(self.envoy.talker, Diplomat):
            self.envoy.talker.observe(turn.before, turn.read(), turn.after)
        self.engine.observe(turn.before, turn.orders)

    def draw(self, position: Position, power: str) -> d.DRW | None:
        """The draw to accept in a phase without talks; called at its beginning, in the event loop. It is
        wanted when no centre has changed hands for years, or another power is about to win; never if we
        are."""
        if position.owners != self._owners:
            self._owners, self._changed = position.owners, position.phase.year
        enough = position.map.majority - NEARLY
        winning = [power for power, owned in position.centres.items() if len(owned) >= enough]
        frozen = position.phase.year - self._changed >= FROZEN_YEARS
        return d.DRW() if power not in winning and (winning or frozen) else None

    def sent(self, message: d.Value) -> None:
        """Called after a message to the server. Runs in the event loop, as does `heard`."""

    def heard(self, message: d.Value) -> None:
        """Called after a message from the server, which the table has processed."""

    def tell(self, line: str) -> None:
        """Report something to the user of the bot, by default in the log."""
        log.info("%s: %s", self.name, clean(line))

    def close(self) -> None:
        """Release the bot's resources; called once, when the game is over or lost."""
        self.engine.close()


def address_of(text: str) -> tuple[str, int]:
    """Host and port of ``HOST:PORT``, ``HOST``, or ``[::1]:PORT``. Raises BordeauxError."""
    host, colon, port = text.strip().rpartition(":")
    if not colon or port.endswith("]"):
        host, port = text.strip(), str(PORT)
    host = host.removeprefix("[").removesuffix("]")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise BordeauxError(f"{quote(text)} is no address of a server; write HOST:PORT like 127.0.0.1:{PORT}")
    return host, int(port)


def _printable(what: str, text: str) -> str:
    """A name in a form that NME can send."""
    if not text or len(text) > MOST_NAME or not all(" " <= char <= "~" for char in text):
        raise BordeauxError(
            f"the {what} {quote(text)} cannot be sent; use 1 to {MOST_NAME} printable ASCII characters"
        )
    return text

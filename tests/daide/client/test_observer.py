"""Watching games on our own server, and servers that have no observers."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from bordeaux import Position
from bordeaux.board.notation import parse_order
from bordeaux.daide import Ending, Table, translate
from bordeaux.daide import language as d
from bordeaux.daide.client.bot import Observer
from bordeaux.daide.client.chronicle import Chronicle
from bordeaux.daide.client.link import LinkError
from bordeaux.formats.games import game_from_json
from bordeaux.rules import adjudicate
from bordeaux.rules.rulesets import DAIDE
from tests.daide.client.house import Noting, house
from tests.daide.client.scripted import NAMED, START, Step, play, steps
from tests.patience import PATIENCE


class Watching(Noting, Observer):
    """Notes what it is told; `joined` is set when it is let in."""

    def __init__(self, address: str, **rest: Any) -> None:
        self.joined = threading.Event()
        super().__init__(address, **rest)

    def heard(self, message: Any) -> None:
        super().heard(message)
        if str(message) == "YES (OBS)" or self.turns:
            self.joined.set()


def watched(observer: Watching, meanwhile: Callable[[], None]) -> Ending:
    """Let an observer watch in a thread while something is done here."""
    with ThreadPoolExecutor(1) as pool:
        ending = pool.submit(observer.run)
        assert observer.joined.wait(PATIENCE)
        meanwhile()
        return ending.result(PATIENCE)


def same(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    """Compare saved games, whatever the order of the orders."""
    assert [phase["name"] for phase in ours["phases"]] == [phase["name"] for phase in theirs["phases"]]
    for phase, other in zip(ours["phases"], theirs["phases"], strict=True):
        assert phase["state"] == other["state"], phase["name"]
        given = {power: sorted(orders) for power, orders in other["orders"].items() if orders}
        assert {power: sorted(orders) for power, orders in phase["orders"].items()} == given
        # DAIDE says of a support that was attacked and not used that it was cut.
        words = {unit: ["void"] if said == ["cut"] else said for unit, said in other["results"].items()}
        results = {unit: ["void"] if said == ["cut"] else said for unit, said in phase["results"].items()}
        assert results == words, phase["name"]


def test_a_whole_game_is_seen_and_saved_as_the_server_saves_it() -> None:
    with house() as served:
        observer = Watching(served.address)
        ending = watched(observer, lambda: served.seat(7))
    assert ending.kind == "draw" and len(ending.powers) == 7
    assert set(ending.names) == set(START.map.powers)
    assert observer.turns[:3] == ["- S1901M", "S1901M F1901M", "F1901M S1902M"]
    assert not observer.lines
    same(observer.documents[-1], served.saves[-1])
    assert observer.documents[-1]["seen"]["ending"]["ending"] == "draw"
    # One for every phase, and one for the end.
    assert len(observer.documents) == len(observer.turns) + 1


def test_a_broken_link_is_taken_up_again_and_the_gap_is_filled() -> None:
    with house(linger=1.0) as served:
        observer = Watching(served.address)

        def broken() -> None:
            served.seat(6)
            served.cut()
            served.until(lambda game: game.open_chairs == 1)
            served.seat(1)

        ending = watched(observer, broken)
    assert ending.kind == "draw"
    assert any("trying again" in line for line in observer.lines)
    same(observer.documents[-1], served.saves[-1])


def test_a_server_that_takes_no_observers() -> None:
    result = play(steps("introduce", "?OBS", "REJ ({})", end="wait"), kind=Watching)
    assert isinstance(result.error, LinkError)
    assert "takes no observers: it refuses OBS, as the server of the package diplomacy does" in str(
        result.error
    )


OBSERVED = ("introduce", "?OBS", "YES ({})", "MAP ('standard')")
"""How an observer is let in, up to the map."""


def test_what_comes_before_the_map_is_no_reason_to_complain() -> None:
    # The game runs already, and goes on.
    running = ("CCD (FRA)", "ORD (SPR 1901) ((FRA AMY PAR) HLD) (SUC)", translate.now_of(START))
    script = steps(*OBSERVED, *running, *NAMED[4:], "HLO (UNO) (0) ((LVL 0))", START)
    result = play(script, kind=Watching)
    assert result.error is None and result.ending is not None and result.ending.powers == ("RUSSIA",)
    assert isinstance(result.bot, Watching)
    assert result.bot.lines == [] and result.bot.turns == ["- S1901M"]


def test_an_observer_says_nothing_that_it_may_not() -> None:
    told = ("CCD (FRA)", "NOT (CCD (FRA))", "ADM ('Host') ('hello')")
    # Some servers may show press; what cannot be read is none of our business either.
    press = [f"FRM (FRA) (GER) ({text})" for text in ("PRP (PCE (FRA GER))", "PRP (BUR)", "'a'")]
    game: list[Step] = [*NAMED[4:], "HLO (UNO) (0) ((LVL 8000))", (START, 60), *told, *press, 0.05]
    result = play(steps(*OBSERVED, *game), kind=Watching)
    assert result.error is None
    assert result.said() == ["OBS", "MDF", "YES (MAP ('standard'))"]
    assert isinstance(result.bot, Watching)
    assert [letter["press"] for letter in result.bot.chronicle.press] == ["PRP (PCE (FRA GER))", "'a'"]


def moves(position: Position, orders: dict[str, list[str]]) -> tuple[list[d.Value], Position]:
    """What a server tells of a phase that was played, and the position after it."""
    resolution = adjudicate(position, orders, DAIDE)
    turn = translate.turn_of(position.phase)
    tokens = {"bounce": "BNC", "cut": "CUT", "void": "NSO", "dislodged": "RET"}
    results: list[d.Value] = []
    for power, texts in orders.items():
        for text in texts:
            order = parse_order(text, position.map, position)
            words = [tokens[word] for word in resolution.results[" ".join(text.split()[:2])]]
            results.append(d.ORD(turn, translate.value_of(order, power, position), tuple(words or ["SUC"])))
    after = resolution.after
    return [*results, translate.sco_of(after), translate.now_of(after)], after


class Listener:
    """A table and a chronicle that hear the same: the map first, and the positions that are given."""

    def __init__(self, *positions: Position) -> None:
        self.table = Table()
        self.chronicle = Chronicle(self.table, "there:1")
        self.hear(d.MAP("standard"), translate.mdf_of(START.map), d.HLO("UNO", 0, (d.Option("LVL", 0),)))
        for position in positions:
            assert self.hear(translate.sco_of(position), translate.now_of(position)) == []

    def hear(self, *messages: d.Value) -> list[str]:
        asked: list[str] = []
        for message in messages:
            self.table.take(message, 0.0)
            asked += map(str, self.chronicle.heard(message))
        return asked


SPRING = {
    "FRANCE": ["A PAR - BUR", "A MAR - SPA", "F BRE - MAO"],
    "GERMANY": ["A MUN - BUR", "A BER H", "F KIE - DEN"],
}
FALL = {"FRANCE": ["A PAR H", "A SPA - POR", "F MAO - SPA/SC"], "GERMANY": ["A MUN H", "A BER H", "F DEN H"]}


def test_phases_are_recorded_with_orders_and_results() -> None:
    listener = Listener(START)
    messages, fall = moves(START, SPRING)
    listener.hear(*messages)
    phases = listener.chronicle.game().phases
    assert [phase.name for phase in phases] == ["S1901M", "F1901M"]
    assert phases[0].orders == SPRING
    assert phases[0].results["A PAR"] == ["bounce"] and phases[0].results["F BRE"] == []
    assert phases[0].state == START.to_json() and phases[1].state == fall.to_json()
    assert phases[1].orders == {}


def test_who_comes_late_asks_for_the_past() -> None:
    spring, fall = moves(START, SPRING)
    autumn, winter = moves(fall, FALL)
    assert str(winter.phase) == "W1901A"
    listener = Listener()
    asked = listener.hear(translate.sco_of(winter), translate.now_of(winter))
    assert asked == ["HST (SPR 1901)", "HST (SUM 1901)", "HST (FAL 1901)", "HST (AUT 1901)"]
    unknown = d.HUH(("ERR", *d.tokens_from_text(asked[3])))
    assert listener.hear(*spring, d.REJ(d.read(asked[1])), *autumn, unknown) == []
    phases = listener.chronicle.game().phases
    assert [phase.name for phase in phases] == ["S1901M", "F1901M", "W1901A"]
    # HST does not tell the first position; that of the map fits.
    assert phases[0].state == START.to_json()
    assert [phase.orders for phase in phases] == [SPRING, FALL, {}]
    # The table knows the present still, its centres too.
    assert listener.table.position == winter


def test_after_a_break_only_the_gap_is_asked_for() -> None:
    spring, fall = moves(START, SPRING)
    autumn, winter = moves(fall, FALL)
    listener = Listener(START)
    listener.hear(*spring)
    # The link breaks in the middle of the results of Fall.
    listener.hear(*autumn[:2], d.YES(d.OBS()))
    asked = listener.hear(translate.sco_of(winter), translate.now_of(winter))
    assert asked == ["HST (SUM 1901)", "HST (FAL 1901)", "HST (AUT 1901)"]
    assert listener.hear(*autumn) == []
    assert [phase.orders for phase in listener.chronicle.game().phases] == [SPRING, FALL, {}]


def test_after_a_solo_the_last_position_is_that_of_no_phase() -> None:
    spring, fall = moves(START, SPRING)
    listener = Listener(START)
    *results, _, _ = spring
    final = translate.now_of(fall, d.SeasonYear("WIN", 1901))
    listener.hear(*results, d.SLO("FRA"), final)
    document = listener.chronicle.to_json()
    assert [phase["name"] for phase in document["phases"]] == ["S1901M", "COMPLETED"]
    assert document["seen"]["ending"]["powers"] == ["FRANCE"]
    assert game_from_json(document).position(-1).phase.kind == "-"


def test_press_and_talk_are_kept_bytes_that_are_no_text_too() -> None:
    listener = Listener(START)
    listener.hear(d.FRM("FRA", ("GER",), d.Text("n\udcffo")), d.ADM("Host", "five minutes"))
    seen = listener.chronicle.to_json()["seen"]
    (letter,) = seen["press"]
    assert letter["turn"] == "SPR 1901" and letter["from"] == "FRA" and letter["to"] == ["GER"]
    letter["press"].encode("utf-8")
    assert seen["talk"] == [{"name": "Host", "text": "five minutes"}]


def test_results_in_the_words_of_saved_games() -> None:
    listener = Listener(START)
    for order, result in (
        ("(FRA AMY PAR) MTO BUR", "BNC RET"),
        ("(FRA AMY MAR) SUP (FRA AMY PAR) MTO BUR", "CUT"),
        ("(FRA FLT BRE) CVY (ENG AMY LVP) CTO GAS", "NSO"),
        ("(ENG AMY LVP) CTO GAS VIA (ECH)", "DSR"),
        ("(GER AMY MUN) MTO BUR", "NSO"),
        ("(GER AMY BER) MTO PAR", "FAR"),
        ("(ENG FLT LON) HLD", "RET"),
        ("(ENG FLT EDI) HLD", "SUC"),
    ):
        listener.hear(d.read(f"ORD (SPR 1901) ({order}) ({result})", side="server", lenient=True))
    assert listener.chronicle.game().phases[0].results == {
        "A PAR": ["bounce", "dislodged"],
        "A MAR": ["cut"],
        "F BRE": ["void"],
        "A LVP": ["disrupted"],
        "A MUN": ["bounce"],
        "A BER": ["void"],
        "F LON": ["dislodged"],
        "F EDI": [],
    }

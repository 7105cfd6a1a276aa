"""The record that a client keeps, and how it asks for what was played before it came."""

from __future__ import annotations

from bordeaux import Position
from bordeaux.board.notation import parse_order
from bordeaux.daide import Table, translate
from bordeaux.daide import language as d
from bordeaux.daide.client.chronicle import Chronicle
from bordeaux.formats.games import game_from_json
from bordeaux.rules import adjudicate
from bordeaux.rules.rulesets import DAIDE

START = Position.start()


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
    """A table and a chronicle that hear the same."""

    def __init__(self) -> None:
        self.table = Table()
        self.chronicle = Chronicle(self.table, "there:1")

    def hear(self, *messages: d.Value) -> list[str]:
        asked: list[str] = []
        for message in messages:
            self.table.take(message, 0.0)
            asked += map(str, self.chronicle.heard(message))
        return asked

    def open(self) -> None:
        self.hear(d.MAP("standard"), translate.mdf_of(START.map), d.HLO("UNO", 0, (d.Option("LVL", 0),)))


SPRING = {
    "FRANCE": ["A PAR - BUR", "A MAR - SPA", "F BRE - MAO"],
    "GERMANY": ["A MUN - BUR", "A BER H", "F KIE - DEN"],
}
FALL = {"FRANCE": ["A PAR H", "A SPA - POR", "F MAO - SPA/SC"], "GERMANY": ["A MUN H", "A BER H", "F DEN H"]}


def test_phases_are_recorded_with_orders_and_results() -> None:
    listener = Listener()
    listener.open()
    assert listener.hear(translate.sco_of(START), translate.now_of(START)) == []
    messages, fall = moves(START, SPRING)
    listener.hear(*messages)
    phases = listener.chronicle.game().phases
    assert [phase.name for phase in phases] == ["S1901M", "F1901M"]
    assert phases[0].orders == SPRING
    assert phases[0].results["A PAR"] == ["bounce"] and phases[0].results["F BRE"] == []
    assert phases[0].state == START.to_json() and phases[1].state == fall.to_json()
    assert phases[1].orders == {}


def test_who_comes_late_asks_for_the_past_from_the_latest_turn_backwards() -> None:
    spring, fall = moves(START, SPRING)
    autumn, winter = moves(fall, FALL)
    assert str(winter.phase) == "W1901A"
    listener = Listener()
    listener.open()
    asked = listener.hear(translate.sco_of(winter), translate.now_of(winter))
    answers = {"HST (FAL 1901)": autumn, "HST (SPR 1901)": spring}
    all_asked = []
    while asked:
        (question,) = asked
        all_asked.append(question)
        asked = listener.hear(*answers.get(question, [d.REJ(d.read(question))]))
    assert all_asked == ["HST (AUT 1901)", "HST (FAL 1901)", "HST (SUM 1901)", "HST (SPR 1901)"]
    phases = listener.chronicle.game().phases
    assert [phase.name for phase in phases] == ["S1901M", "F1901M", "W1901A"]
    # HST does not tell the first position; that of the map fits.
    assert phases[0].state == START.to_json()
    assert [phase.orders for phase in phases] == [SPRING, FALL, {}]
    # The table knows the present still, its centres too.
    assert listener.table.position == winter


def test_a_start_that_does_not_fit_is_left_out() -> None:
    spring, fall = moves(START, SPRING)
    elsewhere = Position(fall.map, fall.phase, fall.units[1:], fall.centres)
    listener = Listener()
    listener.open()
    listener.hear(translate.sco_of(elsewhere), translate.now_of(elsewhere))
    listener.hear(*spring[:-1], translate.now_of(elsewhere))
    assert [phase.name for phase in listener.chronicle.game().phases] == ["F1901M"]


def test_an_old_position_does_not_disturb_the_table_when_a_phase_is_played_meanwhile() -> None:
    _, fall = moves(START, SPRING)
    _, winter = moves(fall, FALL)
    waived = {power: ["WAIVE"] * due for power in START.map.powers if (due := winter.adjustments(power)) > 0}
    spring_2 = winter.next(waived)
    assert spring_2.owners != START.owners
    listener = Listener()
    listener.open()
    listener.hear(translate.sco_of(spring_2), translate.now_of(spring_2))
    # The answer to HST (SPR 1901), with the centres of then; then Spring 1902 is played: no SCO.
    listener.hear(translate.sco_of(fall), translate.now_of(fall))
    fall_2 = spring_2.next({})
    listener.hear(translate.now_of(fall_2))
    assert listener.table.position == fall_2


def test_a_server_without_history_is_asked_once() -> None:
    _, fall = moves(START, SPRING)
    listener = Listener()
    listener.open()
    asked = listener.hear(translate.sco_of(fall), translate.now_of(fall))
    assert asked == ["HST (SUM 1901)"]
    assert listener.hear(d.HUH(("ERR", *d.tokens(d.read(asked[0]))))) == []
    assert [phase.name for phase in listener.chronicle.game().phases] == ["F1901M"]


def test_after_a_break_only_the_gap_is_asked_for() -> None:
    spring, fall = moves(START, SPRING)
    autumn, winter = moves(fall, FALL)
    listener = Listener()
    listener.open()
    listener.hear(translate.sco_of(START), translate.now_of(START))
    listener.hear(*spring)
    # The link breaks in the middle of the results of Fall.
    listener.hear(*autumn[:2])
    listener.hear(d.YES(d.OBS()))
    asked = listener.hear(translate.sco_of(winter), translate.now_of(winter))
    assert asked == ["HST (AUT 1901)"]
    asked = listener.hear(d.REJ(d.read(asked[0])))
    assert asked == ["HST (FAL 1901)"]
    asked = listener.hear(*autumn)
    # Between there may have been a Summer; what was whole before is not asked for.
    assert asked == ["HST (SUM 1901)"]
    assert listener.hear(d.REJ(d.read(asked[0]))) == []
    assert [phase.orders for phase in listener.chronicle.game().phases] == [SPRING, FALL, {}]


def test_after_a_solo_the_last_position_is_that_of_no_phase() -> None:
    spring, fall = moves(START, SPRING)
    listener = Listener()
    listener.open()
    listener.hear(translate.sco_of(START), translate.now_of(START))
    *results, _, _ = spring
    final = translate.now_of(fall, d.SeasonYear("WIN", 1901))
    listener.hear(*results, d.SLO("FRA"), final)
    document = listener.chronicle.to_json()
    assert [phase["name"] for phase in document["phases"]] == ["S1901M", "COMPLETED"]
    assert document["seen"]["ending"]["powers"] == ["FRANCE"]
    assert game_from_json(document).position(-1).phase.kind == "-"


def test_press_and_talk_are_kept_bytes_that_are_no_text_too() -> None:
    listener = Listener()
    listener.open()
    listener.hear(translate.sco_of(START), translate.now_of(START))
    listener.hear(d.FRM("FRA", ("GER",), d.Text("n\udcffo")), d.ADM("Host", "five minutes"))
    seen = listener.chronicle.to_json()["seen"]
    (letter,) = seen["press"]
    assert letter["turn"] == "SPR 1901" and letter["from"] == "FRA" and letter["to"] == ["GER"]
    letter["press"].encode("utf-8")
    assert seen["talk"] == [{"name": "Host", "text": "five minutes"}]


def test_results_in_the_words_of_saved_games() -> None:
    listener = Listener()
    listener.open()
    listener.hear(translate.sco_of(START), translate.now_of(START))
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

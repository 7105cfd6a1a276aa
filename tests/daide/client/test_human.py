"""A person on our own server."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from bordeaux import Position
from bordeaux.board.errors import BordeauxError
from bordeaux.board.phase import Phase
from bordeaux.daide import Ending
from bordeaux.daide import language as d
from bordeaux.daide.client.human import candidates
from bordeaux.daide.client.human_input import OrderSheet
from bordeaux.players.base import Turn
from bordeaux.rules import legal_orders
from tests.daide.client.house import House, Person, house
from tests.daide.client.scripted import START, VOCABULARY, Result, Talk, game, play, steps
from tests.patience import PATIENCE, run_steadily


def on(
    served: House, body: Callable[[Person], Awaitable[None]], **options: Any
) -> tuple[Person, Ending | None]:
    """Let a person play while `body` tells them what to do; the ending, if it came to one."""

    async def both() -> tuple[Person, Ending | None]:
        person = Person(served.address, **options)
        game = asyncio.create_task(person.play())
        acting = asyncio.ensure_future(body(person))
        try:
            await asyncio.wait((game, acting), return_when=asyncio.FIRST_COMPLETED, timeout=PATIENCE)
            if acting.done():
                acting.result()
            return person, game.result() if game.done() else None
        finally:
            for task in (acting, game):
                task.cancel()
            await asyncio.gather(acting, game, return_exceptions=True)

    return run_steadily(both())


def test_a_person_orders_changes_their_mind_and_is_done() -> None:
    async def body(person: Person) -> None:
        await person.until(lambda: served.game.open_chairs == 1)
        await asyncio.to_thread(served.seat, 1)
        await person.until(lambda: person.sheet is not None)
        sheet = person.sheet
        assert sheet is not None and person.table.passcode is not None
        units = sheet.missing()
        first = sheet.legal[units[0].split()[1]]
        person.give(first[1])
        person.give("; ".join(f"{unit} H" for unit in units))
        person.clear(units[0])
        person.give(first[2])
        assert not person.is_done and sheet.missing() == []
        # The others are done, and the server still waits for us.
        await asyncio.sleep(0.1)
        assert served.game.position.phase == START.phase
        assert person.done() == []
        await person.until(lambda: person.turns[1:])
        phase, played = person.past()
        ours = [
            str(order_played.order) for order_played in played if order_played.power == person.table.power
        ]
        assert str(phase) == "S1901M" and sorted(ours) == sorted([first[2], *(f"{u} H" for u in units[1:])])
        assert person.turns[:2] == ["- S1901M", "S1901M F1901M"]

    with house() as served:
        served.seat(5)
        person, _ = on(served, body)
    assert person.lines == []
    assert sum(map(len, person.documents[-1]["phases"][0]["orders"].values())) == 22


def test_a_whole_game_to_a_draw_and_its_record() -> None:
    def reached(person: Person, number: int) -> bool:
        return len(person.turns) >= number

    async def body(person: Person) -> None:
        for number in range(1, 100):
            await person.until(partial(reached, person, number))
            if person.phase is not None and person.table.phase == Phase.parse("S1904M"):
                person.offer_draw()
            elif person.sheet is not None:
                person.done()

    with house() as served:
        served.seat(6)
        person, ending = on(served, body)
    assert ending is not None and ending.kind == "draw" and person.table.power in ending.powers
    names = [phase["name"] for phase in person.documents[-1]["phases"]]
    assert names == [phase["name"] for phase in served.saves[-1]["phases"]]
    seen = person.documents[-1]["seen"]
    assert seen["power"] == person.table.power and seen["passcode"] == person.table.passcode
    assert seen["ending"]["ending"] == "draw"


def test_a_seat_is_taken_over_with_the_passcode_and_the_past_is_known() -> None:
    claims: list[tuple[str, int]] = []

    async def first(person: Person) -> None:
        await person.until(lambda: person.sheet is not None)
        person.done()
        await person.until(lambda: person.turns[1:])
        assert person.sheet is not None
        person.give("all hold")
        await person.until(lambda: person.phase is not None and person.phase.delivery.sent)
        await asyncio.sleep(0.05)
        assert person.table.power is not None and person.table.passcode is not None
        claims.append((person.table.token(person.table.power), person.table.passcode))

    async def second(person: Person) -> None:
        await person.hears("the server has orders for all your units")
        assert person.table.position is not None and str(person.table.position.phase) == "F1901M"
        first = Phase.parse("S1901M")
        await person.until(lambda: first in person.chronicle.phases() and len(person.past(first)[1]) == 22)
        with pytest.raises(BordeauxError, match="nothing is known of F1901M; phases go from S1901M"):
            person.past(Phase.parse("F1901M"))
        person.done()
        await person.until(lambda: person.turns[1:])

    with house() as served:
        served.seat(6)
        on(served, first)
        person, _ = on(served, second, claim=claims[0])
    assert person.turns == ["- F1901M", "F1901M S1902M"]
    assert [phase["name"] for phase in person.documents[-1]["phases"]] == ["S1901M", "F1901M", "S1902M"]


def test_press_is_sent_received_and_answered() -> None:
    async def body(person: Person) -> None:
        await person.until(lambda: person.sheet is not None)
        table = person.table
        me = table.token(table.power or "")
        other = next(tag for tag in START.map.tags.values() if tag != me)
        sent, _ = person.speak(f"{other} peace?")
        assert str(sent.press) == f"PRP (PCE ({me} {other}))"
        await person.hears("delivered to")
        # The bots propose peace to us of their own accord, and answer.
        await person.until(lambda: any("PRP (PCE" in text for text in person.got))
        answers = (f"FRM ({other}) ({me}) (YES", f"FRM ({other}) ({me}) (REJ")
        await person.until(lambda: any(answer in line for line in person.got for answer in answers))
        number = next(int(text.split()[0]) for text in person.got if "PRP (PCE" in text)
        assert "says yes to the proposal of peace" in person.english(person.reply(number, agree=True).press)
        await person.until(lambda: len(person.spoken) == 2)
        with pytest.raises(BordeauxError, match="there is no letter 999"):
            person.reply(999, agree=False)
        with pytest.raises(BordeauxError, match="free text needs level 8000"):
            person.say(f"{other} hello")

    with house(level=10) as served:
        served.seat(6, "blabbot")
        person, _ = on(served, body)
    letters = person.chronicle.press
    assert {letter["from"] for letter in letters} > {person.table.token(person.table.power or "")}


def test_what_cannot_be_done_is_said_in_one_line() -> None:
    async def body(person: Person) -> None:
        for act in (person.done, person.wait, lambda: person.give("A PAR H"), person.clear):
            with pytest.raises(BordeauxError, match="the game has not begun"):
                act()
        with pytest.raises(BordeauxError, match="no game is being played"):
            person.offer_draw()
        with pytest.raises(BordeauxError, match="nothing has been played yet"):
            person.past()
        await person.until(lambda: served.game.open_chairs == 1)
        await asyncio.to_thread(served.seat, 1)
        await person.until(lambda: person.sheet is not None)
        with pytest.raises(BordeauxError, match="there is no press to answer"):
            person.reply(None, agree=True)
        with pytest.raises(BordeauxError, match="there is no hint to take"):
            person.take()
        with pytest.raises(BordeauxError, match="this game has no press"):
            person.write("all PRP (DRW)")
        with pytest.raises(BordeauxError, match="a draw is of all survivors"):
            person.offer_draw(["FRA", "ENG"])
        person.ask_time()
        await person.hears("there is no deadline")

    with house() as served:
        served.seat(5)
        on(served, body)


def test_the_engine_gives_a_hint_that_can_be_taken() -> None:
    async def body(person: Person) -> None:
        await person.until(lambda: person.sheet is not None)
        hint = await person.hint(0.2)
        assert hint.orders and hint.lines
        with pytest.raises(BordeauxError, match="and no line 99"):
            person.take(99)
        assert sorted(map(str, person.take())) == sorted(hint.lines[0].orders)
        assert person.sheet is not None and person.sheet.missing() == []
        await person.until(lambda: person.phase is not None and person.phase.delivery.sent)

    with house() as served:
        served.seat(6)
        on(served, body)


class Scripted(Person):
    """Does what `act` says when the first phase is there."""

    acts: tuple[Callable[[Scripted], object], ...] = ()

    def turned(self, latest: Turn | None) -> None:
        super().turned(latest)
        if len(self.turns) == 1:
            for act in self.acts:
                act(self)


def scripted(*scripts: Any, acts: tuple[Callable[[Scripted], object], ...] = (), **options: Any) -> Result:
    class Acting(Scripted):
        pass

    Acting.acts = acts
    return play(*scripts, kind=Acting, **options)


def told(result: Result) -> list[str]:
    assert isinstance(result.bot, Person)
    assert result.error is None, result.error
    return result.bot.lines


def test_an_order_that_the_server_does_not_take_is_told_and_struck_out() -> None:
    async def script(talk: Talk) -> None:
        await talk.seat()
        talk.turn()
        talk.say(f"YES ({await talk.hear()})")
        message = d.read(await talk.until("SUB"))
        assert isinstance(message, d.SUB)
        talk.say(d.THX(message.orders[0], "FAR"), "HUH (ERR GOF)")
        await asyncio.sleep(0.05)
        talk.end()
        await talk.gone()

    result = scripted(script, acts=(lambda person: person.give("A PAR - BUR"),))
    lines = told(result)
    assert "the server does not take A PAR - BUR: out of reach (FAR)" in lines
    assert "the server does not understand: HUH (ERR GOF)" in lines


def test_orders_that_nobody_sent_go_out_before_the_deadline() -> None:
    # The server never says whether it waits.
    script = game((START, 1), "?SUB", options="(LVL 0) (MTL 1)")
    result = scripted(script, acts=(lambda person: person.give("A PAR - BUR"),))
    assert result.said("GOF") == [] and "(FRA AMY PAR) MTO BUR" in result.said("SUB")[0]
    assert result.error is None


def test_after_a_broken_link_the_orders_are_sent_again() -> None:
    first = game(START, "?NOT", "YES ({})", "?SUB", "?GOF", end="leave")
    claimed = ("introduce", "?IAM (FRA) (77)", "YES ({})", "HLO (FRA) (77) ((LVL 0))")
    second = steps(*claimed, START, "?SUB", "?GOF")
    result = scripted(
        first, second, acts=(lambda person: person.give("A PAR - BUR"), lambda person: person.done())
    )
    assert any("trying again" in line for line in told(result))
    whole = "SUB (SPR 1901) ((FRA AMY PAR) MTO BUR) ((FRA FLT BRE) HLD) ((FRA AMY MAR) HLD)"
    assert result.said("SUB")[-1] == whole


def test_what_happens_to_others_is_told() -> None:
    others = ("CCD (ENG)", "NOT (CCD (ENG))", "OUT (ITA)", "ADM ('Host') ('soon')", "NOT (TME (50))")
    answers = ("REJ (SND (ENG) (PRP (DRW)))", "YES (NOT (DRW))")
    # The last is not of the language: it is shown as it stands, and answered HUH and TRY.
    press = ("FRM (GER) (FRA) (PRP (DMZ (FRA GER) (BUR)))", "FRM (GER) (FRA) (PRP (BUR))")
    result = scripted(game(START, *others, *answers, *press, "?SND", options="(LVL 20)"))
    assert "(GER) (HUH (PRP (ERR BUR)))" in result.said("SND")[0]
    lines = told(result)
    for line in (
        "ENGLAND is in civil disorder",
        "ENGLAND is back",
        "ITALY is out of the game",
        "Host (to all): soon",
        "the clock is stopped",
        "the server refuses: SND (ENG) (PRP (DRW))",
        "your offer of a draw is taken back",
        "from the server, not understood: FRM (GER) (FRA) (PRP (BUR))",
    ):
        assert line in lines
    assert isinstance(result.bot, Person)
    assert result.bot.got == ["1 FRM (GER) (FRA) (PRP (DMZ (FRA GER) (BUR)))"]


COMMANDS = {"orders": "what you have ordered", "press": "send press", "clear": "strike out", "draw": "a draw"}


def person(position: Position | None = START, power: str = "FRANCE", level: int = 30) -> Any:
    """As much of a Human as completion looks at."""
    table = SimpleNamespace(map=START.map, power=power, level=level)
    sheet = None if position is None else OrderSheet(position, power)
    return SimpleNamespace(table=table, sheet=sheet, vocabulary=VOCABULARY)


def offered(typed: str, who: Any = None) -> list[str]:
    """The whole line after each candidate."""
    following = candidates(typed, who or person(), COMMANDS)
    return [typed[: len(typed) - candidate.replaces] + candidate.text for candidate in following]


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("", ["F BRE", "A MAR", "A PAR"]),
        ("A", ["A MAR", "A PAR"]),
        ("a p", ["A PAR"]),
        ("pa", ["A PAR"]),
        ("Pari", ["A PAR"]),
        ("A PAR - ", ["A PAR - BRE", "A PAR - BUR", "A PAR - GAS", "A PAR - PIC"]),
        ("par - b", ["A PAR - BRE", "A PAR - BUR"]),
        ("A  par -  b", ["A PAR - BRE", "A PAR - BUR"]),
        ("A PAR S A MA", ["A PAR S A MAR"]),
        ("A PAR S A MAR", ["A PAR S A MAR - BUR", "A PAR S A MAR - GAS"]),
        ("A PAR - BUR", []),
        ("A PAR - X", []),
        ("xyz", []),
        ("A PAR H; A MAR - S", ["A PAR H; A MAR - SPA"]),
        ("F BRE - ", ["F BRE - ENG", "F BRE - GAS", "F BRE - MAO", "F BRE - PIC"]),
    ],
)
def test_orders_are_completed_piece_by_piece(typed: str, first: list[str]) -> None:
    assert sorted(offered(typed)) == sorted(first)


def test_after_a_unit_comes_all_that_it_can_do() -> None:
    meanings = {candidate.shown: candidate.meaning for candidate in candidates("A PAR ", person(), COMMANDS)}
    assert meanings["- BUR"] == "to Burgundy" and meanings["H"] == "hold"
    assert meanings["S A MAR"] == "support Marseilles"
    assert "D" not in meanings


def test_every_legal_order_can_be_reached_by_choosing() -> None:
    who = person()
    for orders in legal_orders(START, "FRANCE").values():
        for order in orders:
            line = ""
            while line != order:
                following = offered(f"{line} ".lstrip(), who)
                (line,) = [beginning for beginning in following if f"{order} ".startswith(f"{beginning} ")]
            assert line == order


def test_commands_and_their_arguments() -> None:
    assert offered("or") == ["orders "]
    assert offered("ORD") == ["orders "]
    assert offered("clear p") == ["clear A PAR"]
    assert offered("draw G") == ["draw GER "]
    assert offered("press ") == [f"press {tag} " for tag in ("AUS", "ENG", "GER", "ITA", "RUS", "TUR")]
    assert offered("press GER I") == ["press GER ITA "]


def test_press_is_completed_by_the_grammar_of_the_level() -> None:
    assert offered("press GER PR") == ["press GER PRP"]
    assert set(offered("press GER PRP (X")) == {"press GER PRP (XDO"}
    assert offered("press GER PRP (X", person(level=10)) == []
    assert "press GER PRP (PCE (FRA" in offered("press GER PRP (PCE (F")


def test_where_there_is_nothing_to_order_there_are_commands_only() -> None:
    who = person(None)
    assert offered("", who) == [] and offered("A", who) == []
    assert offered("cl", who) == ["clear "] and offered("clear ", who) == []
    empty = SimpleNamespace(
        table=SimpleNamespace(map=None, power=None, level=0), sheet=None, vocabulary=d.Vocabulary.standard()
    )
    assert offered("press ", empty) == []

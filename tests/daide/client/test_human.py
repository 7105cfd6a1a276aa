"""A person on our own server."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest

from bordeaux.board.errors import BordeauxError
from bordeaux.board.phase import Phase
from bordeaux.daide import Ending
from bordeaux.daide import language as d
from bordeaux.daide.client.human import candidates
from bordeaux.daide.client.human_input import OrderSheet
from bordeaux.players.base import Turn
from tests.daide.client.house import House, Person, house
from tests.daide.client.scripted import START, Result, game, play, steps
from tests.daide.server.wires import until
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
        await until(lambda: served.game.open_chairs == 1)
        await asyncio.to_thread(served.seat, 1)
        await until(lambda: person.sheet is not None)
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
        await until(lambda: person.turns[1:])
        phase, played = person.past()
        ours = [str(order.order) for order in played if order.power == person.table.power]
        assert str(phase) == "S1901M" and sorted(ours) == sorted([first[2], *(f"{u} H" for u in units[1:])])
        assert person.turns[:2] == ["- S1901M", "S1901M F1901M"]

    with house() as served:
        served.seat(5)
        person, _ = on(served, body)
    assert person.lines == []
    assert sum(map(len, person.documents[-1]["phases"][0]["orders"].values())) == 22


def test_a_seat_is_taken_over_with_the_passcode_and_the_past_is_known() -> None:
    claims: list[tuple[str, int]] = []

    async def first(person: Person) -> None:
        await until(lambda: person.sheet is not None)
        person.done()
        await until(lambda: person.turns[1:])
        assert person.sheet is not None
        person.give("all hold")
        await until(lambda: person.phase and person.phase.submission and person.phase.submission.sent)
        await asyncio.sleep(0.05)
        assert person.table.power is not None and person.table.passcode is not None
        claims.append((person.table.token(person.table.power), person.table.passcode))

    async def second(person: Person) -> None:
        await until(lambda: person.sheet is not None)
        assert str(person.table.phase) == "F1901M"
        first = Phase.parse("S1901M")
        await until(lambda: first in person.chronicle.phases() and len(person.past(first)[1]) == 22)
        refused("nothing is known of F1901M; phases go from S1901M", person.past, Phase.parse("F1901M"))
        person.done()
        await until(lambda: person.turns[1:])

    with house() as served:
        served.seat(6)
        on(served, first)
        person, _ = on(served, second, claim=claims[0])
    assert person.turns == ["- F1901M", "F1901M S1902M"]
    assert [phase["name"] for phase in person.documents[-1]["phases"]] == ["S1901M", "F1901M", "S1902M"]


def test_press_is_sent_received_and_answered() -> None:
    async def body(person: Person) -> None:
        await until(lambda: person.sheet is not None)
        table = person.table
        me = table.token(table.power or "")
        other = next(tag for tag in START.map.tags.values() if tag != me)
        sent, _ = person.speak(f"{other} peace?")
        assert str(sent.press) == f"PRP (PCE ({me} {other}))"
        await person.hears("delivered to")
        # The bots propose peace to us of their own accord, and answer.
        await until(lambda: any("PRP (PCE" in text for text in person.got))
        answers = (f"FRM ({other}) ({me}) (YES", f"FRM ({other}) ({me}) (REJ")
        await until(lambda: any(answer in line for line in person.got for answer in answers))
        sent, _ = person.speak("yes")
        assert "says yes to the proposal of peace" in person.english(sent.press)
        await until(lambda: len(person.spoken) == 2)
        refused("text needs 8000", person.say, f"{other} hello")

    with house(level=10) as served:
        served.seat(6, "blabbot")
        person, _ = on(served, body)
    letters = person.chronicle.press
    assert {letter["from"] for letter in letters} > {person.table.token(person.table.power or "")}


def refused(message: str, act: Callable[..., object], *given: object) -> None:
    with pytest.raises(BordeauxError, match=message):
        act(*given)


def test_what_cannot_be_done_is_said_in_one_line() -> None:
    async def body(person: Person) -> None:
        for act in (person.done, person.wait, lambda: person.give("A PAR H"), person.clear):
            refused("the game has not begun", act)
        refused("no game is being played", person.offer_draw)
        refused("nothing has been played yet", person.past)
        await until(lambda: served.game.open_chairs == 1)
        await asyncio.to_thread(served.seat, 1)
        await until(lambda: person.sheet is not None)
        refused("this game has no press", person.write, "all PRP (DRW)")
        refused("a draw is of all survivors", person.offer_draw, ["FRA", "ENG"])
        person.ask_time()
        await person.hears("there is no deadline")

    with house() as served:
        served.seat(5)
        on(served, body)


def scripted(*scripts: Any, acts: tuple[Callable[[Person], object], ...] = (), **options: Any) -> Result:
    """A game in which a person does something when the first phase is there."""

    class Acting(Person):
        def turned(self, latest: Turn | None) -> None:
            super().turned(latest)
            for act in acts if len(self.turns) == 1 else ():
                act(self)

    return play(*scripts, kind=Acting, **options)


def told(result: Result) -> list[str]:
    assert isinstance(result.bot, Person)
    assert result.error is None, result.error
    return result.bot.lines


def to_burgundy(person: Person) -> None:
    person.give("A PAR - BUR")


WHOLE = "SUB (SPR 1901) ((FRA AMY PAR) MTO BUR) ((FRA FLT BRE) HLD) ((FRA AMY MAR) HLD)"


def test_orders_go_out_when_the_server_waits_and_after_a_change_of_mind() -> None:
    def again(person: Person) -> None:
        person.give("A PAR H")

    first = ("?NOT (GOF)", "YES ({})", "?SUB")
    script = game(
        START, *first, "?NOT (GOF)", "orders", "?GOF", "THX ((FRA AMY MAR) HLD) (NSU)", "HUH (ERR GOF)"
    )
    result = scripted(script, acts=(to_burgundy, Person.done, again))
    lines = told(result)
    assert "the server does not take (FRA AMY MAR) HLD: there is no such unit (NSU)" in lines
    assert "the server does not understand: HUH (ERR GOF)" in lines
    sent, changed = result.said("SUB")
    assert sent == WHOLE and "(FRA AMY PAR) HLD" in changed


def test_where_the_server_does_not_wait_orders_stay_until_the_person_is_done() -> None:
    script = game(START, "?NOT (GOF)", "REJ (NOT (GOF))", "?TME", "orders")
    result = scripted(script, acts=(to_burgundy, lambda person: person.session.send(d.TME()), Person.done))
    assert "this server does not wait: your orders go out when you say done" in told(result)
    assert result.said("SUB") == [WHOLE]


def test_orders_that_nobody_sent_go_out_before_the_deadline() -> None:
    # The server never says whether it waits.
    script = game((START, 1), "?SUB", options="(LVL 0) (MTL 1)")
    result = scripted(script, acts=(to_burgundy,))
    assert result.error is None and result.said("SUB") == [WHOLE]


def test_after_a_broken_link_the_orders_are_sent_again() -> None:
    first = game(START, "?NOT", "YES ({})", "orders", "?GOF", end="leave")
    claimed = ("introduce", "?IAM (FRA) (77)", "YES ({})", "HLO (FRA) (77) ((LVL 0))")
    second = steps(*claimed, START, "orders", "?GOF")
    result = scripted(first, second, acts=(to_burgundy, Person.done))
    assert any("trying again" in line for line in told(result))
    assert result.said("SUB")[-1] == WHOLE


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


def offered(typed: str, sheet: OrderSheet | None) -> list[str]:
    """The whole line after each candidate."""
    following = candidates(typed, SimpleNamespace(sheet=sheet), COMMANDS)  # type: ignore[arg-type]
    return [typed[: len(typed) - candidate.replaces] + candidate.text for candidate in following]


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("A  par -  b", ["A PAR - BRE", "A PAR - BUR"]),
        ("par - b", ["A PAR - BRE", "A PAR - BUR"]),
        ("A PAR - X", []),
        ("A PAR H; A MAR - S", ["A PAR H; A MAR - SPA"]),
        ("OR", ["orders "]),
        ("clear p", []),
    ],
)
def test_orders_and_commands_are_completed(typed: str, first: list[str]) -> None:
    assert offered(typed, OrderSheet(START, "FRANCE")) == first


def test_units_without_an_order_come_first_and_without_a_sheet_there_are_commands_only() -> None:
    sheet = OrderSheet(START, "FRANCE")
    legal = offered("", sheet)
    sheet.give("F BRE H")
    assert sorted(offered("", sheet)) == sorted(legal) and offered("", sheet)[-1].startswith("F BRE")
    assert offered("A", None) == [] and offered("cl", None) == ["clear "]

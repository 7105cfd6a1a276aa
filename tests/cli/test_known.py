"""What `orders` is told about the others: orders that they are known to give, and how they have played;
and ideas of the search that it is to do without."""

import json
from typing import Any

import click
import pytest

from bordeaux import BordeauxError, Engine, Position
from bordeaux.cli.suggestions import read_given, read_suggestions
from bordeaux.search.config import SEARCHES, ideas_of

from .conftest import Run, Save
from .test_rubbish import complaint

START = Position.start()


def answer(run: Run, power: str, *more: str, position: str = "start", nodes: int = 4000) -> dict[str, Any]:
    result = run("orders", position, "--power", power, "--nodes", str(nodes), "--json", *more)
    assert result.exit_code == 0, result.stderr
    of_power: dict[str, Any] = json.loads(result.stdout)["powers"][power]
    return of_power


def test_known_orders_are_what_is_expected(run: Run, save: Save) -> None:
    orders = {"RUSSIA": ["F SEV - ARM", "A MOS - SEV", "A WAR - UKR", "F STP/SC - BOT"]}
    turkey = answer(run, "TURKEY", "--given", save("given.json", orders))
    expected = turkey["expected"]["RUSSIA"]
    assert [line["probability"] for line in expected] == [1.0]
    assert set(expected[0]["orders"]) == set(orders["RUSSIA"])
    assert len(turkey["expected"]["AUSTRIA"]) >= 1


def test_known_orders_decide(run: Run, save: Save) -> None:
    """Nobody contests Rumania where it is known that Austria and Turkey hold; where Austria is known to
    go there with support, nobody else gets in."""
    units = {"AUSTRIA": ["A BUD", "A SER"], "RUSSIA": ["A UKR", "F SEV"], "TURKEY": ["A BUL"]}
    state = {
        "name": "F1901M",
        "units": units,
        "centers": {"AUSTRIA": ["BUD", "VIE"], "RUSSIA": ["SEV", "MOS"], "TURKEY": ["CON"]},
    }
    position = save("position.json", state)
    held = save("held.json", {"AUSTRIA": ["A BUD H", "A SER H"], "TURKEY": ["A BUL H"]})
    into = save(
        "into.json", {"AUSTRIA": ["A BUD - RUM", "A SER S A BUD - RUM"], "TURKEY": ["A BUL S A BUD - RUM"]}
    )
    by_hand = "--evaluation", "hand", "--search", "paper"
    free = answer(run, "RUSSIA", "--given", held, *by_hand, position=position)
    lost = answer(run, "RUSSIA", "--given", into, *by_hand, position=position)
    assert any(order.endswith("- RUM") for order in free["orders"])
    assert free["value"] > lost["value"]


def test_known_orders_go_with_every_form(run: Run, save: Save) -> None:
    path = save("given.json", {"ITALY": ["A VEN H"]})
    for options in (
        ["--power", "all"],
        ["--power", "AUSTRIA", "--watch"],
        ["--power", "AUSTRIA", "--explain"],
    ):
        assert run("orders", "start", *options, "--nodes", "500", "--given", path).exit_code == 0
    before = run("orders", "start", "--power", "ITALY", "--nodes", "500", "--json").stdout
    result = run("orders", "start", "--power", "AUSTRIA", "--nodes", "500", "--given", "-", input=before)
    assert result.exit_code == 0, result.stderr


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "no orders in it"),
        ("[]", "object"),
        ({"FRANCE": ["A PAR - MOS"]}, "A PAR - MOS is illegal in S1901M"),
        ({"FRANCE": ["A MUN H"]}, "belongs to GERMANY"),
        ({"ATLANTIS": []}, "ATLANTIS"),
    ],
)
def test_known_orders_that_are_none(run: Run, save: Save, content: Any, says: str) -> None:
    path = save("given.json", content)
    line = complaint(run("orders", "start", "--power", "ITALY", "--nodes", "10", "--given", path))
    assert "given.json" in line
    assert says in line


def test_standard_input_is_read_once() -> None:
    for suggested, source in (((), "-"), (("-",), "start")):
        with pytest.raises(click.UsageError, match="give a file to --given"):
            read_suggestions(suggested, START, source, "-")


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(BordeauxError, match=r"--given: .*missing\.json"):
        read_given("missing.json", START)


@pytest.mark.parametrize(
    ("search", "idea"), [(search, idea) for search in SEARCHES for idea in ideas_of(search)]
)
def test_every_idea_can_be_left_out(run: Run, search: str, idea: str) -> None:
    france = answer(run, "FRANCE", "--search", search, "--without", idea, nodes=1500)
    assert len(france["orders"]) == 3


def test_ideas_left_out_reach_the_engine(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    whole = Engine.__init__

    def noting(self: Engine, **options: Any) -> None:
        whole(self, **options)
        seen.append(self.config.ideas)

    monkeypatch.setattr(Engine, "__init__", noting)
    answer(run, "FRANCE", "--without", "beliefs, people", "--without", "reasoning", nodes=100)
    answer(run, "FRANCE", nodes=100)
    every = set(ideas_of("learnt"))
    assert seen == [every - {"beliefs", "people", "reasoning"}, every]


AGREED = [
    {"kind": "peace", "parties": ["fra", "GERMANY"], "trust": 0.8, "until": "F1903M"},
    {"kind": "promise", "parties": ["FRANCE"], "orders": ["A PAR S A MUN - BUR"]},
    {"kind": "promise", "parties": ["GERMANY"], "orders": ["A MUN - BUR"]},
]


def test_what_is_agreed_is_kept_and_expected(run: Run, save: Save) -> None:
    france = answer(run, "FRANCE", "--agreements", save("agreed.json", AGREED))
    assert all("A PAR S A MUN - BUR" in line["orders"] for line in france["lines"])
    assert all("A MUN - BUR" in line["orders"] for line in france["expected"]["GERMANY"])


@pytest.mark.parametrize(
    ("document", "complaint_of_it"),
    [
        ("{}", "agreed.json: agreements are a JSON list of objects"),
        ("[", "agreed.json: "),
        ('[{"kind": "peace", "parties": ["FRANCE", "GERMANI"]}]', "agreement 1: unknown power 'GERMANI'"),
        ('[{"kind": "peace", "parties": ["FRANCE", "ITALY"], "trust": 2}]', "trust must be a number"),
        ("[null]", "agreement 1: an agreement is an object"),
    ],
)
def test_agreements_that_make_no_sense(run: Run, save: Save, document: str, complaint_of_it: str) -> None:
    file = save("agreed.json", document)
    line = complaint(run("orders", "start", "--power", "ITALY", "--nodes", "10", "--agreements", file))
    assert line.startswith("--agreements: ") and complaint_of_it in line


def test_agreements_do_not_share_standard_input() -> None:
    for source, other in (("-", None), ("start", "-")):
        with pytest.raises(click.UsageError, match="give a file to --agreements"):
            read_suggestions((), START, source, other, "-")


@pytest.mark.parametrize("given", ["belief", "", "beliefs,", "beliefs+fronts", "x" * 300])
def test_ideas_that_are_none(run: Run, given: str) -> None:
    line = complaint(run("orders", "start", "--power", "ITALY", "--nodes", "10", "--without", given))
    assert "unknown idea" in line
    assert "known: beliefs, " in line


def test_a_saved_game_shows_what_the_powers_are_like(run: Run, save: Save) -> None:
    """Germany held all the time, so that it is expected to hold; in a game without a past it is not, and
    of Russia, whose orders are not recorded, nothing is learnt."""
    position, phases = START, []
    orders: dict[str, list[str]] = {power: [] for power in START.map.powers if power != "RUSSIA"}
    for _ in range(10):
        phases.append({"name": str(position.phase), "state": position.to_json(), "orders": orders})
        position = position.next({})
    france = answer(
        run, "FRANCE", position=save("game.json", {"id": "x", "map": "standard", "phases": phases})
    )
    untold = answer(run, "FRANCE", position=save("state.json", phases[-1]["state"]))

    def holding(of_power: dict[str, Any], power: str = "GERMANY") -> float:
        return sum(
            line["probability"]
            for line in of_power["expected"][power]
            if all(order.endswith(" H") for order in line["orders"])
        )

    # Who always holds is not believed to take the best of its draws.
    assert holding(france) > 0.8
    assert holding(untold) < 0.5
    assert holding(france, "RUSSIA") < 0.5

"""`benchmarks/health.py`: what is counted in turns made by hand, and in saved games."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from bordeaux import Map, Order, Position
from bordeaux.arena.game import play
from bordeaux.arena.job import Job
from bordeaux.players.base import Limit, Turn
from health import FIGURES, Orders, examine, figures, main
from tests.cli.conftest import complaint
from tests.players.playing import standard

MAP = Map.standard()


def turns(position: Position, *phases: Orders) -> list[Turn]:
    """The turns that orders, phase by phase, make from a position."""
    turns = []
    for orders in phases:
        after = position.next(orders)
        turns.append(Turn(position, orders, after))
        position = after
    return turns


def warred(power: str, *given: Turn) -> dict[str, int]:
    """The counts of a power that are not 0."""
    return {name: n for name, n in examine(given[0].before, given)[MAP.powers.index(power)].items() if n}


def counted(power: str, *given: Turn) -> dict[str, int]:
    """The same without those that every phase has."""
    return {name: n for name, n in warred(power, *given).items() if name not in {"movements", "fielded"}}


GERMANY = {"GERMANY": ["A BER", "A MUN", "F KIE"], "FRANCE": ["A BUR", "A PAR"]}


def test_all_hold_is_counted_from_three_units_on_and_not_in_civil_disorder() -> None:
    position = standard("S1902M", GERMANY, {"GERMANY": ["BER", "MUN", "KIE"]})
    holds: list[Order | str] = ["A BER H", "A MUN H", "F KIE H"]
    assert counted("GERMANY", *turns(position, {"GERMANY": holds})) == {
        "phases": 1,
        "all_hold": 1,
        "games": 1,
    }
    assert counted("GERMANY", *turns(position, {"GERMANY": holds[:1]}))["all_hold"] == 1
    assert counted("GERMANY", *turns(position, {"GERMANY": []})) == {"games": 1}
    assert counted("FRANCE", *turns(position, {"FRANCE": ["A BUR H", "A PAR H"]})) == {"games": 1}
    helped = turns(position, {"GERMANY": [*holds[1:], "A BER S A MUN"]})
    assert counted("GERMANY", *helped) == {"phases": 1, "games": 1}
    # An order that may not be given leaves its unit standing.
    void = turns(position, {"GERMANY": [*holds[1:], "A BER - PAR"]})
    assert counted("GERMANY", *void)["all_hold"] == 1


def test_lone_attacks_and_those_that_arrive() -> None:
    position = standard("S1902M", GERMANY, {"GERMANY": ["BER", "MUN", "KIE"]})
    lone = {"GERMANY": ["A MUN - BUR", "A BER - SIL", "F KIE H"]}
    bounced = counted("GERMANY", *turns(position, lone))
    assert (bounced["moves"], bounced["lone"]) == (2, 1) and "lone_won" not in bounced
    followed = counted("GERMANY", *turns(position, {**lone, "FRANCE": ["A BUR - GAS"]}))
    assert (followed["lone"], followed["lone_won"]) == (1, 1)
    with_help = standard("S1902M", {**GERMANY, "ITALY": ["A MAR"]})
    helped: Orders = {"GERMANY": ["A MUN - BUR", "A BER H", "F KIE H"], "ITALY": ["A MAR S A MUN - BUR"]}
    assert "lone" not in counted("GERMANY", *turns(with_help, helped))
    # Help for a move that is not made is none.
    missed = {**helped, "ITALY": ["A MAR S A PAR - BUR"]}
    assert counted("GERMANY", *turns(with_help, missed))["lone"] == 1


def test_the_same_bounce_again() -> None:
    position = standard("S1902M", GERMANY, {"GERMANY": ["BER", "MUN", "KIE"], "FRANCE": ["PAR", "BRE"]})
    lone: Orders = {"GERMANY": ["A MUN - BUR", "A BER H", "F KIE H"], "FRANCE": ["A BUR H", "A PAR H"]}
    other: Orders = {**lone, "GERMANY": ["A MUN - TYR", "A BER H", "F KIE H"]}
    thrice = turns(position, lone, lone, lone)
    assert [str(turn.before.phase) for turn in thrice] == ["S1902M", "F1902M", "S1903M"]
    assert counted("GERMANY", *thrice[:2])["repeated"] == 1
    assert counted("GERMANY", *thrice)["repeated"] == 2
    assert "repeated" not in counted("GERMANY", *turns(position, lone, other))


def test_centres_walked_out_of_and_lost() -> None:
    owned = {"GERMANY": ["BER", "MUN", "KIE"], "FRANCE": ["PAR", "BRE"]}
    position = standard("F1902M", GERMANY, owned)
    out: Orders = {"GERMANY": ["A MUN - TYR", "A BER H", "F KIE H"], "FRANCE": ["A BUR - MUN"]}
    assert {"walked": 1, "walked_lost": 1}.items() <= counted("GERMANY", *turns(position, out)).items()
    kept = counted("GERMANY", *turns(position, {**out, "FRANCE": ["A BUR H"]}))
    assert kept["walked"] == 1 and "walked_lost" not in kept
    for orders in (["A MUN - TYR", "A BER - MUN", "F KIE H"], ["A MUN H", "A BER - SIL", "F KIE H"]):
        assert "walked" not in counted("GERMANY", *turns(position, {"GERMANY": orders}))
    # From Spring on, a year ends with the same year's count: what is lost a year later is another matter.
    spring = standard("S1902M", {**GERMANY, "GERMANY": ["A MUN", "A BER"]}, {"GERMANY": ["BER", "MUN"]})
    going: Orders = {"GERMANY": ["A MUN - TYR"]}
    late = turns(spring, going, {"GERMANY": ["A TYR H"]}, {"FRANCE": ["A BUR - MUN"]}, {})
    assert [str(turn.before.phase) for turn in late] == ["S1902M", "F1902M", "W1902A", "S1903M"]
    assert counted("GERMANY", *late)["walked"] == 1
    soon = turns(spring, going, {"FRANCE": ["A BUR - MUN"], "GERMANY": ["A TYR H"]})
    assert counted("GERMANY", *soon)["walked_lost"] == 1


def test_removals_at_home_while_others_stay_abroad() -> None:
    units = {"GERMANY": ["A MUN", "A WAR", "F NTH"], "RUSSIA": ["A SIL"]}
    winter = standard("W1902A", units, {"GERMANY": ["MUN", "BER"], "RUSSIA": ["WAR"]})
    at_home = turns(winter, {"GERMANY": ["A MUN D"]})
    assert {"removals": 1, "removed": 1}.items() <= counted("GERMANY", *at_home).items()
    abroad = counted("GERMANY", *turns(winter, {"GERMANY": ["F NTH D"]}))
    assert abroad["removals"] == 1 and "removed" not in abroad
    assert "removals" not in counted("GERMANY", *turns(winter, {}))
    lost = turns(winter, {"GERMANY": ["A MUN D"]}, {"RUSSIA": ["A SIL - MUN"]}, {"RUSSIA": ["A MUN H"]})
    assert counted("GERMANY", *lost)["removed_lost"] == 1


def test_builds_without_a_home() -> None:
    # Germany owns four centres and has two units, on two of its three homes; the third is Russia's.
    units = {"GERMANY": ["A MUN", "F KIE"], "RUSSIA": ["A WAR"]}
    owned = {"GERMANY": ["MUN", "KIE", "HOL", "DEN"], "RUSSIA": ["BER", "WAR"]}
    # Russia has a build, so that there is a Winter.
    winter = standard("W1902A", units, owned)
    counts = counted("GERMANY", *turns(winter, {"RUSSIA": ["A WAR H"]}))
    assert (counts["owing"], counts["blocked"]) == (1, 1)
    able = standard("W1902A", units, {**owned, "RUSSIA": ["WAR"], "GERMANY": [*owned["GERMANY"], "BER"]})
    assert counted("GERMANY", *turns(able, {}))["blocked"] == 1
    exact = standard("W1902A", units, {"GERMANY": ["MUN", "KIE", "BER"]})
    assert "blocked" not in counted("GERMANY", *turns(exact, {"GERMANY": ["A BER B"]}))
    # No power can build or remove anything: the year has no Winter, and the builds are owed all the same.
    fall = standard("F1902M", {"GERMANY": ["A MUN", "F KIE"]}, {"GERMANY": ["MUN", "KIE", "HOL"]})
    [turn] = turns(fall, {"GERMANY": ["A MUN H", "F KIE H"]})
    assert turn.after.phase.kind == "M"
    assert {"owing": 1, "blocked": 1}.items() <= counted("GERMANY", turn).items()


def test_somebody_elses_solo() -> None:
    centres = list(MAP.centres)
    units = {
        "TURKEY": ["A BUL"],
        "RUSSIA": ["A LVN", "A UKR", "A FIN", "A GAL", "A SIL"],
        "FRANCE": ["A GAS"],
    }
    position = standard("F1910M", units, {"TURKEY": [tag for tag in centres if tag not in {"SER"}][:17]})
    end = turns(position, {"TURKEY": ["A BUL - SER"]})
    assert {"games": 1, "solos": 1, "solos_beside": 1}.items() <= counted("RUSSIA", *end).items()
    assert counted("FRANCE", *end) == {"games": 1, "solos": 1}
    assert counted("ITALY", *end) == {"games": 1}
    assert "solos" not in counted("TURKEY", *end)


def test_figures_are_shares_of_counts() -> None:
    shown = figures(Counter(phases=16, all_hold=4))
    assert set(shown) == {figure.name for figure in FIGURES}
    assert shown["all_hold"] == {"share": 0.25, "count": 4, "of": 16}
    assert shown["lone_successes"] == {"share": None, "count": 0, "of": 0}
    assert figures(Counter(attacked=5, movements=2))["powers_attacked"]["mean"] == 2.5


def test_saved_games_are_counted_by_player(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    seats = ("dumbbot", "random", "hold", "dumbbot", "hold", "hold", "hold")
    for _ in range(2):
        result = play(Job(0, seats, 3, Limit(), 1904, keep=True))
        with path.open("a") as file:
            file.write(json.dumps(result.game) + "\n")
    shown = json.loads(CliRunner().invoke(main, [str(path), "--json"]).stdout)
    assert set(shown) == set(seats)
    assert shown["hold"]["all_hold"]["share"] == 1.0 and shown["hold"]["lone_attacks"]["of"] == 0
    assert shown["dumbbot"]["lone_attacks"]["of"] > 20
    assert shown["random"]["solos_of_others"]["of"] == 2
    assert "phases of 3 units or more in which all hold" in CliRunner().invoke(main, [str(path)]).stdout
    # A game that all players have drawn before its first turn.
    assert result.game is not None
    path.write_text(json.dumps({**result.game, "phases": result.game["phases"][:1]}))
    assert '"of": 1' in CliRunner().invoke(main, [str(path), "--json"]).stdout
    path.write_text("{}\n")
    assert "line 1: no game" in complaint(CliRunner().invoke(main, [str(path)]))


HOLD: Orders = {"GERMANY": ["A MUN H"], "FRANCE": ["A BUR H"]}
WAR: Orders = {"GERMANY": ["A MUN - BUR"], "FRANCE": ["A BUR H"]}
OWNED = {"GERMANY": ["MUN"], "FRANCE": ["PAR"]}


def years(*phases: Orders) -> list[Turn]:
    """The movement phases of Germany in Munich and France in Burgundy, who build and remove nothing."""
    return turns(standard("S1902M", {"GERMANY": ["A MUN"], "FRANCE": ["A BUR"]}, OWNED), *phases)


def test_powers_attacked_are_each_counted_once_a_phase() -> None:
    units = {
        "GERMANY": ["A MUN", "A RUH", "A TYR"],
        "FRANCE": ["A BUR"],
        "ITALY": ["A ROM"],
        "AUSTRIA": ["A BOH"],
    }
    position = standard("S1902M", units, {"ITALY": ["VEN"], "FRANCE": ["PAR"]})
    # Two orders at France, one at an empty centre of Italy.
    both: Orders = {"GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR", "A TYR - VEN"]}
    counts = warred("GERMANY", *turns(position, both))
    assert (counts["attacked"], counts["movements"]) == (2, 1)
    # Empty country of nobody, an order that may not be given, and help for a defender are no attacks.
    none: Orders = {"GERMANY": ["A MUN - KIE", "A RUH S A BUR", "A TYR - PAR"]}
    assert "attacked" not in warred("GERMANY", *turns(position, none))
    # Help against one's own friend's enemy is an attack on the enemy alone.
    helped: Orders = {"GERMANY": ["A MUN S A BOH - TYR", "A TYR H"], "AUSTRIA": ["A BOH - TYR"]}
    assert "attacked" not in warred("GERMANY", *turns(position, helped))
    assert warred("AUSTRIA", *turns(position, helped))["attacked"] == 1
    # Nor is help for a unit that goes home.
    homeward = standard("S1902M", units, {"AUSTRIA": ["VIE"]})
    guest: Orders = {"GERMANY": ["A TYR S A BOH - VIE"], "AUSTRIA": ["A BOH - VIE"]}
    assert "attacked" not in warred("GERMANY", *turns(homeward, guest))
    # Civil disorder is no phase.
    assert "movements" not in warred("FRANCE", *turns(position, both))


def peace(power: str, *given: Turn) -> tuple[int, int]:
    """Neighbours of four years, and those at peace for four years."""
    counts = warred(power, *given)
    return counts.get("neighbours", 0), counts.get("peaces", 0)


def test_four_years_without_an_attack_are_a_peace() -> None:
    assert peace("GERMANY", *years(*[HOLD] * 8)) == (1, 1)
    assert peace("FRANCE", *years(*[HOLD] * 8)) == (1, 1)
    assert peace("ITALY", *years(*[HOLD] * 8)) == (0, 0)
    # Three years and a Spring are too short to border for long, let alone for peace.
    assert peace("GERMANY", *years(*[HOLD] * 7)) == (0, 0)


@pytest.mark.parametrize("attack", [0, 3, 7])
def test_one_attack_of_either_ends_a_peace_for_both(attack: int) -> None:
    played = years(*[WAR if phase == attack else HOLD for phase in range(8)])
    assert peace("GERMANY", *played) == peace("FRANCE", *played) == (1, 0)


def test_attackers_go_at_a_leader_or_at_others() -> None:
    units = {"GERMANY": ["A MUN", "A RUH", "A TYR"], "FRANCE": ["A BUR"], "ITALY": ["A PIE"]}
    others = [tag for tag in MAP.centres if tag not in {"MUN", "KIE", "BER", "VEN", "ROM", "NAP"}]
    orders: Orders = {
        "GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR", "A TYR - PIE"],
        "FRANCE": ["A BUR - MUN"],
    }
    home = ["MUN", "KIE", "BER"]

    def at(count: int) -> dict[str, int]:
        position = standard("S1905M", units, {"FRANCE": others[:count], "GERMANY": home})
        return warred("GERMANY", *turns(position, orders))

    assert (at(13)["attackers"], at(13)["at_leader"]) == (3, 2)
    assert "attackers" not in at(12)
    # The leader's own attackers do not count: nobody else leads.
    position = standard("S1905M", units, {"FRANCE": others[:13], "GERMANY": home})
    assert "attackers" not in warred("FRANCE", *turns(position, orders))


def stray(*units: str) -> tuple[int, int]:
    """The units of Germany that have strayed, and all."""
    position = standard("S1905M", {"GERMANY": list(units)}, {"GERMANY": ["WAR"], "FRANCE": ["MUN"]})
    counts = warred("GERMANY", *turns(position, {"GERMANY": [f"{unit} H" for unit in units]}))
    return counts.get("strayed", 0), counts["fielded"]


def test_units_far_from_home_alone_have_strayed() -> None:
    # Warsaw is two moves from Berlin, Ukraine three. Warsaw is an own centre, and no home.
    assert stray("A WAR") == (0, 1)
    assert stray("A UKR") == (1, 1)
    # A unit beside is company for both, wherever they are, and one further off is none.
    assert stray("A UKR", "A SEV") == (0, 2)
    assert stray("A UKR", "A ARM") == (2, 2)
    # Whose the homes are does not matter, and a fleet goes by sea.
    assert stray("F NTH") == (0, 1)
    assert stray("F IRI") == (1, 1)


def test_moves_that_fail_for_the_third_time_and_on() -> None:
    def vain(*phases: Orders) -> int:
        return warred("GERMANY", *years(*phases)).get("in_vain", 0)

    assert [vain(*[WAR] * number) for number in range(1, 6)] == [0, 0, 1, 2, 3]
    assert vain(WAR, WAR, HOLD, WAR) == 0
    assert vain(WAR, WAR, HOLD, WAR, WAR, WAR) == 1
    # A move that arrives is none in vain.
    away: Orders = {"GERMANY": ["A MUN - KIE"]}
    assert vain(WAR, WAR, away) == 0

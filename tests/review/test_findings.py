"""What a review finds in positions that were made for it."""

import math

import pytest

from bordeaux import Position, legal_orders
from bordeaux.review.judge import forced_captures, stops
from bordeaux.review.peace import QUIET, listen, quiet_before, stabs
from bordeaux.review.record import owned_after, read_record
from bordeaux.review.result import Judged, accuracy, lost_part
from bordeaux.review.running import opening_of
from bordeaux.review.telling import TurningTeller

from ..players.playing import standard as board
from .games import TURKISH, game, letter, whole

START = Position.start()


def test_a_capture_that_no_reply_prevents_is_found() -> None:
    position = board(
        "F1905M",
        {"FRANCE": ["A BUR", "A RUH", "F WES"], "GERMANY": ["A MUN"]},
        {"FRANCE": ["PAR", "BRE", "MAR", "SPA", "TUN"], "GERMANY": ["MUN", "BER"]},
    )
    played = ["A BUR H", "A RUH H", "F WES - LYO"]
    count, orders = forced_captures(position, "FRANCE", whole(position, "FRANCE", played))
    assert count == 7
    for reply in legal_orders(position)["MUN"]:
        after = position.next({"FRANCE": orders, "GERMANY": [reply]})
        assert len(owned_after(after, "FRANCE")) >= 7, reply
    # What is not needed for it stays as it was played.
    assert "F WES - LYO" in orders


def test_who_could_have_stopped_a_victory_is_shown_how_with_few_changes() -> None:
    position = board(
        "F1910M",
        {"TURKEY": ["A TYR", "A BOH"], "GERMANY": ["A BER", "A RUH", "A HOL"], "ITALY": ["F TYS"]},
        {"TURKEY": TURKISH, "GERMANY": ["MUN", "BER", "HOL"], "ITALY": ["SPA"]},
    )
    sent = {
        "TURKEY": ["A TYR - MUN", "A BOH S A TYR - MUN"],
        "GERMANY": ["A BER H", "A RUH H", "A HOL - KIE"],
        "ITALY": ["F TYS - LYO"],
    }
    orders = read_record(game(position, sent)).turns[0].orders
    stopping = stops(position, "GERMANY", "TURKEY", orders, [])
    assert "A HOL - KIE" in stopping
    assert not set(position.next({**sent, "GERMANY": stopping}).centres["TURKEY"]) >= {*TURKISH, "MUN"}
    # Italy can take Tunis, Rome or Naples.
    (order,) = stops(position, "ITALY", "TURKEY", orders, [])
    assert order in {"F TYS - NAP", "F TYS - ROM", "F TYS - TUN"}
    # Where what was played keeps it short as well, nothing is to be changed.
    kept = read_record(game(position, {**sent, "ITALY": [order]})).turns[0].orders
    assert stops(position, "ITALY", "TURKEY", kept, []) == ()


@pytest.mark.parametrize(
    ("played", "better", "theirs", "came"),
    [
        ("A PAR H, A GAS H", "A PAR H, A GAS - SPA", "A MUN H, A BUR H", "taken Spain"),
        (
            "A PAR - PIC, A GAS H",
            "A PAR H, A GAS - MAR",
            "A MUN H, A BUR - PAR",
            "held Paris and taken Marseilles",
        ),
        ("A PAR H, A GAS H", "A PAR H, A GAS S A PAR", "A MUN - BUR, A BUR - PAR", ""),
        (
            "A PAR H, A GAS H",
            "A PAR - BUR, A GAS S A PAR - BUR",
            "A MUN H, A BUR H",
            "dislodged A BUR of Germany",
        ),
        (
            "A PAR H, A GAS H",
            "A PAR S A GAS, A GAS H",
            "A MAR S A BUR - GAS, A BUR - GAS",
            "kept A GAS from being dislodged",
        ),
    ],
)
def test_what_better_orders_would_have_come_to(played: str, better: str, theirs: str, came: str) -> None:
    position = board(
        "F1905M",
        {"FRANCE": ["A PAR", "A GAS"], "GERMANY": [order[:5] for order in theirs.split(", ")]},
        {"FRANCE": ["PAR", "BRE"], "GERMANY": ["MUN", "BER"]},
    )
    record = read_record(game(position, {"FRANCE": played.split(", "), "GERMANY": theirs.split(", ")}))
    best = tuple(better.split(", "))
    judged = Judged("F1905M", 0, tuple(played.split(", ")), True, best=best, expected=0.5, loss=0.1)
    said = TurningTeller(record).loss(record.turns[0], "FRANCE", judged)
    would = f" As the others played, the better orders would have {came}."
    assert (would in said) if came else ("the better orders would" not in said)


def quiet_years(count: int) -> list[dict[str, list[str]]]:
    """France and Germany side by side, then a French attack on Munich; winters need no orders."""
    calm = {"FRANCE": ["A BUR H"], "GERMANY": ["A RUH H"]}
    blow = {"FRANCE": ["A BUR - MUN"], "GERMANY": ["A RUH H"]}
    return [*[calm] * count, blow]


@pytest.mark.parametrize(("count", "number"), [(QUIET, 1), (QUIET - 1, 0)])
def test_a_stab_is_an_attack_after_years_of_peace(count: int, number: int) -> None:
    # As many units as centres, so that no winter has adjustments.
    position = board(
        "S1905M", {"FRANCE": ["A BUR"], "GERMANY": ["A RUH"]}, {"FRANCE": ["PAR"], "GERMANY": ["MUN"]}
    )
    record = read_record(game(position, *quiet_years(count)))
    stabs_seen = list(stabs(record, quiet_before(record)))
    assert len(stabs_seen) == number
    if number:
        (stab,) = stabs_seen
        assert (stab.power, stab.victim, stab.quiet) == ("FRANCE", "GERMANY", QUIET)
        assert stab.entered == stab.taken == ("MUN",)


def test_an_attack_against_an_agreed_peace_is_a_stab_at_once() -> None:
    talks = {
        0: [
            letter("FRANCE", "GERMANY", "France proposes peace between France and Germany."),
            letter("GERMANY", "FRANCE", "yes"),
            letter("GERMANY", "FRANCE", "nice weather, and how is your aunt?"),
        ]
    }
    strange: list[dict[str, object]] = [{}, {"sender": 7}, {"sender": "FRANCE", "letter": {"to": []}}]
    talks[0] += [*strange, {**talks[0][0], "recipient": "MARS"}, {**talks[0][0], "message": None}]
    played = [
        {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN H"]},
        {"FRANCE": ["A BUR - MUN"], "GERMANY": ["A MUN - RUH"]},
    ]
    recorded = game(START, *played, messages=talks)
    record = read_record(recorded)
    said = listen(recorded, record)
    assert (said.heard, said.all) == (2, 8)
    (word,) = said.broken
    assert (word.number, word.power, word.kind, word.partners) == (1, "FRANCE", "peace", ("GERMANY",))
    kinds = {(agreement.kind, agreement.parties) for agreement in said.agreements[1]["FRANCE"]}
    assert kinds == {("peace", ("FRANCE", "GERMANY"))}
    assert said.agreements[1]["FRANCE"][0].stabbed_by == ("FRANCE",)
    (stab,) = stabs(record, quiet_before(record), said.broken)
    assert (stab.power, stab.victim, stab.word) == ("FRANCE", "GERMANY", "peace")
    assert list(stabs(record, quiet_before(record))) == []


def test_openings_are_named_and_followed_until_the_book_ends() -> None:
    first = {
        "FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO"],
        "RUSSIA": ["F SEV H", "A MOS H", "A WAR H", "F STP/SC H"],
    }
    opening = opening_of(read_record(game(START, first, {"FRANCE": ["A BUR H", "A MAR H", "F MAO H"]})))
    assert opening.left["FRANCE"].name == "Maginot" and opening.left["FRANCE"].phase == "F1901M"
    # The start is in its range whatever is ordered, what follows for who plays what nobody plays is not.
    assert opening.booked[0] >= {"FRANCE", "RUSSIA"} and "RUSSIA" not in opening.booked.get(1, ())
    assert opening.left["RUSSIA"].phase == "S1901M" and not opening.left["RUSSIA"].entered


def judged(loss: float, expected: float = 0.4, **rest: object) -> Judged:
    fields = {"phase": "S1901M", "number": 0, "played": ("A PAR H",), "sent": True}
    return Judged(**{**fields, "expected": expected, "loss": loss, **rest})  # type: ignore[arg-type]


def test_accuracy_falls_with_the_part_that_was_lost_of_all_there_was() -> None:
    assert accuracy([judged(0.0)]) == 100
    assert accuracy([judged(0.04)]) == pytest.approx(100 * math.exp(-2 * 0.1), abs=0.05)
    # A phase counts by what was at stake in it.
    most, least = judged(0.3, expected=0.6), judged(0.0, expected=0.01)
    assert lost_part([most, *[least] * 20]) == pytest.approx(0.3 / 0.8)
    # What was lost as the others played counts as much as what could be known.
    hindsight = {"hindsight_expected": 0.6, "hindsight_loss": 0.3}
    assert lost_part([judged(0.1, **hindsight)]) == pytest.approx(0.4)


def test_accuracy_counts_movements_with_orders_and_leaves_out_the_book() -> None:
    assert accuracy([judged(0.2, sent=False), judged(0.2, phase="W1901A")]) is None
    assert accuracy([judged(0.2, book=True)]) == 100
    assert lost_part([judged(0.2, book=True), judged(0.1)]) == pytest.approx(0.25)

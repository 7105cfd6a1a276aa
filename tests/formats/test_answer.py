"""Answers of language models: the last complete set of orders counts, and what is not understood is told."""

from __future__ import annotations

import pytest

from bordeaux import Position
from bordeaux.formats import orders_in_answer
from bordeaux.formats.order_sheet import orders_in

START = Position.start()
ORDERS = ["A PAR - PIC", "F BRE - MAO", "A MAR - SPA"]
HELD = ["F BRE H", "A MAR H", "A PAR H"]
JSON = '["A PAR - PIC", "F BRE - MAO", "A MAR - SPA"]'
THOUGHTS = "Perhaps A PAR - BUR is best:\nA PAR - BUR\nF BRE - ENG\nA MAR H\nBut I promised."


@pytest.mark.parametrize(
    "answer",
    [
        "A PAR - PIC\nF BRE - MAO\nA MAR - SPA",
        "A PAR - PIC; F BRE - MAO; A MAR - SPA",
        "A PAR - PIC \u00b7 F BRE - MAO \u00b7 A MAR - SPA",
        "Orders: `A PAR - PIC` \u00b7 `F BRE - MAO` \u00b7 `A MAR - SPA`",
        "1. **A PAR - PIC** keeps my word\n2. `F BRE - MAO` for Iberia\n3. A MAR - SPA (towards Portugal)",
        "**A PAR - PIC** covers PAR and BRE, even if England lands\nF BRE - MAO\n`A MAR - SPA` via land",
        "A PAR \u2192 PIC: safe\nFleet Brest to Mid-Atlantic Ocean \u2014 Iberia\nA MAR -> SPA # later POR",
        f'```json\n{{"orders": {JSON}}}\n```',
        f"A PAR - BUR\nF BRE - ENG\nWait, that provokes England. Instead:\n```\n{JSON}\n```\nGood luck!",
        f'{{"reasoning": "A PAR - BUR is weak", "orders": {JSON}}}',
        f'{{"FRANCE": {JSON}, "GERMANY": ["A MUN - RUH"]}}',
        "PARSABLE OUTPUT: {'orders': ['A PAR - PIC', 'F BRE - MAO', 'A MAR - SPA']}",
        '{"A PAR": "- PIC", "F BRE": "F BRE - MAO", "A MAR": "- SPA"}',
        '[{"unit": "A PAR", "action": "move", "to": "PIC"}, {"order": "F BRE - MAO"}, "A MAR - SPA"]',
        "A PAR - PIC (to Belgium)\nF BRE - MAO (to Portugal)\nA MAR - SPA (into Iberia)",
        "<order>A PAR - PIC</order><order>F BRE - MAO</order><order>A MAR - SPA</order>",
        "\\boxed{A PAR - PIC, F BRE - MAO, A MAR - SPA}",
        'My orders are "A PAR - PIC", "F BRE - MAO" and "A MAR - SPA".',
        "I order A PAR - PIC, F BRE - MAO and A MAR - SPA.",
        "`A PAR - PIC` `F BRE - MAO` `A MAR - SPA`",
        "Step 1: A PAR - PIC\nStep 2: F BRE - MAO\nStep 3: A MAR - SPA",
        "\u2694\ufe0f A PAR - PIC\n\U0001f6a2 F BRE - MAO\n\u2694\ufe0f A MAR - SPA",
        '{"order": "A PAR - PIC"}\n{"order": "F BRE - MAO"}\n{"order": "A MAR - SPA"}',
        '{"PAR": "A PAR - PIC", "BRE": "F BRE - MAO", "MAR": "A MAR - SPA"}',
        '{"orders": {"PAR": "PIC", "BRE": "MAO", "MAR": "SPA"}}',
        "FRANCE: PAR-PIC; BRE-MAO; MAR-SPA",
        '[{"unit_type": "A", "from": "PAR", "to": "PIC", "order": "MOVE"}, "F BRE - MAO", "A MAR - SPA"]',
        "**Orders**\nA PAR - PIC\nF BRE - MAO\nA MAR - SPA\n**Backup orders**\nA PAR H\nF BRE H\nA MAR H",
        f"{THOUGHTS}\n\nORDERS:\nA PAR - PIC\nF BRE - MAO\nA MAR - SPA",
        f"{THOUGHTS}\n```\nA PAR - PIC\nF BRE - MAO\nA MAR - SPA\n```",
        f"<think>{THOUGHTS}</think>\nA PAR - PIC\nF BRE - MAO\nA MAR - SPA",
        f"## Reasoning\n{THOUGHTS}\n## Orders\nA PAR - PIC\nF BRE - MAO\nA MAR - SPA",
        "## Spring 1901\n### FRANCE\nA PAR - PIC, F BRE - MAO, A MAR - SPA\n### GERMANY\nA MUN H\n"
        "## Fall 1901\n### FRANCE\nA PIC H",
    ],
)
def test_forms_of_answers(answer: str) -> None:
    found = orders_in_answer(answer, START, "FRA")
    assert (list(map(str, found.orders)), found.faults) == (ORDERS, [])
    assert (
        list(map(str, orders_in(answer, START, [])["FRANCE"] if "FRANCE" in answer else found.orders))
        == ORDERS
    )


def test_a_convoy_behind_a_marked_order_is_no_reason() -> None:
    units = {"ENGLAND": ["A YOR", "F NTH"]}
    position = Position.from_json({"name": "S1902M", "units": units, "centers": {"ENGLAND": ["EDI"]}})
    found = orders_in_answer("**A YOR - EDI** via convoy.\nF NTH C A YOR - EDI", position, "ENGLAND")
    assert list(map(str, found.orders)) == ["A YOR - EDI VIA", "F NTH C A YOR - EDI"]


@pytest.mark.parametrize(
    ("answer", "orders", "faults"),
    [
        ("I would rather not", [], ["BRE", "MAR", "PAR"]),
        ("A PAR - XYZ\nF BRE - MAO\nA MAR - SPA", ORDERS[1:], ["'XYZ'", "PAR"]),
        ("A PAR - PIC\nF BRE - MAO\nA MAR - BOH", [*ORDERS[:2], "A MAR - BOH"], ["illegal", "MAR"]),
        (
            "A MAR S A PAR - XYZ\nrem A PAR - BUR\nF BRE - MAO (A PAR - BUR)",
            [],
            ["'XYZ'", "rem", "MAO", "BRE", "MAR", "PAR"],
        ),
        ("A PAR - PIC (if Germany agrees)\nF BRE - MAO\nA MAR - SPA", ORDERS[1:], ["condition", "PAR"]),
        ("**A PAR - PIC** only if Italy agrees\nF BRE - MAO\nA MAR - SPA", ORDERS[1:], ["condition", "PAR"]),
        ("**A PAR - PIC** should be safe\nF BRE - MAO\nA MAR - SPA", ORDERS, []),
        ("A PAR - PIC: once Italy agrees we go on\nF BRE - MAO, after Italy agreed\nA MAR - SPA", ORDERS, []),
        ("A PAR - PIC \u2014 should Italy agree\nF BRE - MAO\nA MAR - SPA", ORDERS[1:], ["condition", "PAR"]),
        ("A PAR - PIC, once they accept this\nF BRE - MAO\nA MAR - SPA", ORDERS[1:], ["condition", "PAR"]),
        ("Once Italy agrees: A PAR - PIC\nF BRE - MAO\nA MAR - SPA", ORDERS[1:], ["PAR"]),
        ("- `A PAR - PIC` (unless Italy moves)\nF BRE - MAO\nA MAR - SPA", ORDERS[1:], ["condition", "PAR"]),
        ('{"GERMANY": "A PAR - PIC", "FRANCE": null} {{"a": 1}}', [], ["'1'", "BRE", "MAR", "PAR"]),
        ("~~A PAR - PIC~~\nF BRE - MAO\nA MAR - SPA", ORDERS[1:], ["PAR"]),
        ("ORDERS: A PAR - PIC\nORDERS: F BRE - MAO", ["F BRE - MAO"], ["MAR", "PAR"]),
        ("DRAFT ORDERS:\nA PAR - BUR\nF BRE - ENG\nA MAR H\nFINAL ORDERS: All hold", HELD, []),
        ("All units hold.", HELD, []),
        ("- F BRE - MAO\n- All my armies hold.", ["F BRE - MAO", *HELD[1:]], []),
        ("- A PAR - BUR\n- Everything else holds.", ["A PAR - BUR", *HELD[:2]], []),
        ("A PAR - BUR, all other units hold", ["A PAR - BUR", *HELD[:2]], []),
        ("ORDERS: A PAR - BUR, rest hold", ["A PAR - BUR", *HELD[:2]], []),
        (f"{THOUGHTS}\nA PAR - BUR\nThe rest hold.", ["A PAR - BUR", *HELD[:2]], []),
        ("FRANCE\nA PAR - BUR\nall hold", ["A PAR - BUR", *HELD], ["A PAR H is illegal: the unit has an"]),
    ],
)
def test_what_is_not_understood_is_told_and_not_replaced(
    answer: str, orders: list[str], faults: list[str]
) -> None:
    found = orders_in_answer(answer, START, "FRANCE")
    assert list(map(str, found.orders)) == orders
    assert len(found.faults) == len(faults) and all(map(str.__contains__, found.faults, faults)), found.faults


def test_the_last_complete_set_counts_where_nothing_is_labelled() -> None:
    answer = "A PAR - PIC\nF BRE - MAO\nA MAR - SPA\nI thought about this:\nA PAR - BUR\n"
    assert list(map(str, orders_in_answer(answer, START, "FRANCE").orders)) == ORDERS


@pytest.mark.parametrize("words", ["If Germany attacks I would play instead:", "Alternatively:", "Plan B"])
def test_a_set_behind_other_words_does_not_replace_the_labelled_one(words: str) -> None:
    answer = (
        f"ORDERS:\nA PAR - PIC\nF BRE - MAO\nA MAR - SPA\n\n{words}\nA PAR - BUR\nF BRE - ENG\nA MAR - PIE\n"
    )
    assert list(map(str, orders_in_answer(answer, START, "FRANCE").orders)) == ORDERS


OTHER = ["A PAR - BUR", "F BRE - ENG", "A MAR - PIE"]


@pytest.mark.parametrize(
    ("last", "chosen"),
    [
        ("Decision: Option 1.", ORDERS),
        ("I'll go with **option 1** since it doesn't provoke Germany.", ORDERS),
        ("I choose option 1 over option 2.\n\nGood luck!", ORDERS),
        ("My final choice is Option 2", OTHER),
        ("GERMANY: A MUN - BUR\nSo we take option 1.", ORDERS),
        ("Option 1 is bold.", OTHER),
        ("Decision: option 1 fails, so option 2.", OTHER),
        ("I take option 1 if Germany agrees.", OTHER),
        ("I choose option 1.\nA PAR H\nF BRE H\nA MAR H", HELD),
        ("I go with option 1.\nORDERS:\nA PAR H, F BRE H, A MAR H", HELD),
    ],
)
@pytest.mark.parametrize(
    "over", ["Option {} (safe):\n{}", "### Option {}\n```\n{}\n```", "**Option {}** - bold\n{}"]
)
def test_the_option_counts_that_the_last_words_choose(over: str, last: str, chosen: list[str]) -> None:
    options = [over.format(name, "\n".join(orders)) for name, orders in (("1", ORDERS), ("2", OTHER))]
    found = orders_in_answer("\n".join([*options, "", last]), START, "FRANCE")
    assert sorted(map(str, found.orders)) == sorted(chosen)


def test_an_option_that_is_chosen_may_stand_in_one_line() -> None:
    answer = "Plan A: A PAR - PIC, F BRE - MAO, A MAR - SPA\nPlan B: A PAR H\nI pick plan A."
    assert list(map(str, orders_in_answer(answer, START, "FRANCE").orders)) == ORDERS


@pytest.mark.parametrize("words", ["Last turn I ordered", "Please don\u2019t order", "I considered"])
def test_orders_in_a_sentence_that_gives_none_are_none(words: str) -> None:
    answer = f"{words} A PAR - BUR, F BRE - ENG, A MAR H.\nA PAR - PIC\nF BRE - MAO\nA MAR - SPA"
    assert list(map(str, orders_in_answer(answer, START, "FRANCE").orders)) == ORDERS
    notes: list[str] = []
    assert len(orders_in(answer, START, notes)["FRANCE"]) == 3
    assert len(notes) == 1 and "it tells of orders that are not given" in notes[0]

"""Keys are the same everywhere, and differ where positions do."""

import subprocess
import sys

from bordeaux import Position
from bordeaux.openings import position_key, view_key

PROGRAM = """
from bordeaux import Position
from bordeaux.openings import position_key
print(position_key(Position.start()))
"""


def test_the_key_of_the_start_is_what_books_have_in_them() -> None:
    assert position_key(Position.start()) == "458e2b33d8886e86"


def test_the_key_does_not_hang_on_the_hash_seed_of_python() -> None:
    for seed in ("1", "2"):
        environment = {"PYTHONHASHSEED": seed, "PYTHONSAFEPATH": "1"}
        result = subprocess.run(
            [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True
        )
        assert result.stdout.strip() == "458e2b33d8886e86"


def test_two_ways_to_one_position_meet() -> None:
    start = Position.start()
    bounced = start.next({"ENGLAND": ["F LON - ENG"], "FRANCE": ["F BRE - ENG"]})
    held = start.next({})
    assert bounced.phase == held.phase
    assert position_key(bounced) == position_key(held)


def test_phase_units_and_owners_all_count() -> None:
    start = Position.start()
    moved = start.next({"FRANCE": ["A PAR - BUR"]})
    state = start.to_json()
    state["centers"]["FRANCE"].remove("PAR")
    lost = Position.from_json(state)
    keys = {position_key(position) for position in (start, start.next({}), moved, lost)}
    assert len(keys) == 4


def test_open_retreats_count() -> None:
    position = Position.start().next({"GERMANY": ["A MUN - BUR"]}).next({"FRANCE": ["A PAR - GAS"]})
    attack = {"FRANCE": ["A GAS - BUR", "A MAR S A GAS - BUR"], "GERMANY": ["A BUR H"]}
    while position.phase.kind != "M":
        position = position.next({})
    dislodged = position.next(attack)
    assert dislodged.dislodged
    state = dislodged.to_json()
    state["retreats"]["GERMANY"]["A BUR"].pop()
    assert position_key(Position.from_json(state)) != position_key(dislodged)


def test_a_view_counts_centres_in_any_order() -> None:
    one = view_key("standard", "W1901A", "FRANCE", ["A BUR", "A SPA"], ["PAR", "SPA"])
    assert one == view_key("standard", "W1901A", "FRANCE", ["A SPA", "A BUR"], ["SPA", "PAR"])
    assert one != view_key("standard", "W1901A", "FRANCE", ["A SPA", "A BUR"], ["SPA"])
    assert one != view_key("standard", "W1901A", "ITALY", ["A SPA", "A BUR"], ["SPA", "PAR"])

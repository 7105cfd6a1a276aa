"""The moves of the rivals in whole games of seven of a kind: they change only on purpose."""

from __future__ import annotations

import hashlib
import json

import pytest

from bordeaux import Map, Position
from tests.players.playing import play, table

DIGESTS = {
    "random": "43841b28",
    "dumbbot": "f61d442e",
    "dumbbot:neutral_value=0": "b7d1d965",
    "dumbbot-weak": "b59cddb6",
    "haai-vanilla": "f1bfd5a6",
    "haai-berserk": "97a0275e",
    "diplominator": "36943213",
    "blabbot": "f61d442e",
    "diplobot": "9bb9142c",
    "manchi-attack": "461ef2f2",
    "manchi-defence": "3667fda6",
}
"""The beginning of the SHA-256 of all phases and orders, by player; a failure shows the new one."""


@pytest.mark.parametrize("spec", DIGESTS)
def test_a_seat_plays_the_same_moves_as_ever(spec: str) -> None:
    digest = hashlib.sha256()
    for name, years in (("standard", 5), ("gulfs", 2)):
        start = Position.start(Map.load(name))
        seats = table([spec] * len(start.map.powers), start.map, 3)
        for turn in play(seats, start, start.phase.year + years).turns:
            orders = {power: list(map(str, given)) for power, given in turn.orders.items()}
            digest.update(json.dumps([str(turn.before.phase), orders]).encode())
    assert digest.hexdigest()[:8] == DIGESTS[spec]

"""A batch of games against `adjudicate` and `legal_orders`, phase by phase of random play."""

from __future__ import annotations

import pytest

from bordeaux import Map
from bordeaux.env import Batch
from tests.env.play import differences

# python -c "from tests.env.play import differences; print(differences(...))" plays more of them.


@pytest.mark.parametrize("map", ["standard", "pure", "capitals"])
def test_random_play_is_as_adjudicate_has_it(map: str) -> None:
    batch = Batch(6, map, seed=11, until=Map.load(map).start_phase.year + 9, autoreset=True)
    phases, kinds = 0, set()
    while phases < 360:
        compared, found = differences(batch, absent=5)
        phases += compared
        assert found == []
        kinds |= set(batch.observe().phases[:, 1].tolist())
    assert kinds == {0, 1, 2} or map == "pure"

"""Records of games add up."""

import pytest

from bordeaux.openings.record import NOTHING, UNKNOWN, Mean, Record, merged


def test_means_are_weighed_by_their_games() -> None:
    assert Mean(4.0, 1).merged(Mean(7.0, 2)) == Mean(6.0, 3)
    assert Mean(4.0, 1).merged(UNKNOWN) == Mean(4.0, 1)
    assert UNKNOWN.merged(UNKNOWN) == UNKNOWN


def test_records_add_up_in_any_order() -> None:
    one = Record(1, Mean(4.0, 1), UNKNOWN, 1.0, 0.0, 0.3, 5.0)
    two = Record(3, Mean(8.0, 1), Mean(6.0, 2), 0.0, 1.0, 0.1, 1.0)
    published = Record(96, final=2.0, wins=0.25)
    both = one.merged(two)
    assert both.score == pytest.approx(0.15)
    assert both == Record(4, Mean(6.0, 2), Mean(6.0, 2), 0.25, 0.75, both.score, 2.0)
    total = merged([one, published])
    assert total.games == 97 and total.wins == 0.25 and total.score == 0.3
    assert total.final == pytest.approx((5 + 96 * 2) / 97)
    assert merged([]) == NOTHING and merged([one]) == one

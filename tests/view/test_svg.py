"""Parts of all pictures."""

from __future__ import annotations

from bordeaux.view.svg import labels


def test_a_label_takes_the_first_of_eight_places_where_it_meets_nothing() -> None:
    dot, size, frame = (100.0, 100.0, 5.0), (30.0, 10.0), (0.0, 0.0, 200.0, 200.0)
    places = [(108, 103), (62, 103), (85, 92), (85, 115), (106, 94), (106, 113), (64, 94), (64, 113)]
    # A small dot in each of them, and in no other.
    inside = [(137, 100), (63, 100), (100, 85), (100, 116), (135, 90), (135, 110), (65, 90), (65, 110)]
    for taken, place in enumerate([*places, None]):
        dots = [dot, *((float(x), float(y), 0.5) for x, y in inside[:taken])]
        assert labels(dots, [size], frame) == [place]

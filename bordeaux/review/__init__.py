"""A finished game looked at again: what each power's orders lost, and where the game turned.

`review_game` judges every phase by the engine on all cores and gives a `Review`;
`bordeaux.view.review.page` shows it.
"""

from bordeaux.review.result import Judged, Left, Moment, PowerReview, Review, TurningPoint
from bordeaux.review.running import DEFAULT, review_game

__all__ = ["DEFAULT", "Judged", "Left", "Moment", "PowerReview", "Review", "TurningPoint", "review_game"]

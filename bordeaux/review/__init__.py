"""Reviews of finished games: the loss of each power's orders, and the turning points.

`review_game` judges every phase with the engine on all cores and returns a `Review`.
`bordeaux.view.review.page` shows it.
"""

from bordeaux.review.result import Judged, LeftBook, Moment, PowerReview, Review, TurningPoint
from bordeaux.review.running import DEFAULT, review_game

__all__ = ["DEFAULT", "Judged", "LeftBook", "Moment", "PowerReview", "Review", "TurningPoint", "review_game"]

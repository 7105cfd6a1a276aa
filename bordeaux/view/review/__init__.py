"""A review as one HTML page, without external resources: no script, font or picture."""

from bordeaux.view.review.page import csp, page
from bordeaux.view.review.turns import title_of

__all__ = ["csp", "page", "title_of"]

"""A review as one HTML page, without external resources: no script, font or picture."""

from bordeaux.view.review.boards import title_of
from bordeaux.view.review.page import csp, page

__all__ = ["csp", "page", "title_of"]

"""A review as one HTML page, without external resources: no script, font or picture."""

from bordeaux.view.review.page import csp, page

__all__ = ["csp", "page"]

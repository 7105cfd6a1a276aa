"""A study as one file that needs no server: the page, its style and its script."""

from bordeaux.web.paper.page import Lines, positions_to_search, study_page

__all__ = ["Lines", "positions_to_search", "study_page"]

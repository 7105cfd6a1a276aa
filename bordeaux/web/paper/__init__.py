"""A study without a server: as one file, and the page that opens links with a study in them."""

from bordeaux.web.paper.page import Lines, Told, positions_to_search, study_page
from bordeaux.web.paper.reader import carried, reader_page

__all__ = ["Lines", "Told", "carried", "positions_to_search", "reader_page", "study_page"]

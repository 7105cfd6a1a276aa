"""A study without a server: as one file, and the page that opens links with a study in them."""

from bordeaux.web.paper.page import EngineLine, Lines, positions_to_search, study_page
from bordeaux.web.paper.reader import carried, reader_page

__all__ = ["EngineLine", "Lines", "carried", "positions_to_search", "reader_page", "study_page"]

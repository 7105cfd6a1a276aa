"""A study without a server: as one file, and the page that opens links with a study in them."""

from bordeaux.web.standalone.page import (
    Lines,
    carried,
    positions_to_search,
    reader_page,
    study_page,
)

__all__ = ["Lines", "carried", "positions_to_search", "reader_page", "study_page"]

"""Opening books: the code that builds and reads them, and their data."""

from bordeaux.openings.book import Book, verify
from bordeaux.openings.canonical import canonical, position_key, view_key
from bordeaux.openings.entry import Came, Entry, Mean, Node, Record, View
from bordeaux.openings.guide import Guide
from bordeaux.openings.names import Opening, alliances_of, name_of, names
from bordeaux.openings.schema import BookError

__all__ = [
    "Book",
    "BookError",
    "Came",
    "Entry",
    "Guide",
    "Mean",
    "Node",
    "Opening",
    "Record",
    "View",
    "alliances_of",
    "canonical",
    "name_of",
    "names",
    "position_key",
    "verify",
    "view_key",
]

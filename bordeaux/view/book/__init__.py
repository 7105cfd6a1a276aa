"""The report on an opening book: one HTML page with tables and plots, complete in itself."""

from bordeaux.view.book.page import report

__all__ = ["report"]

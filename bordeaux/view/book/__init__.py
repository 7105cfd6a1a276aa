"""The report on an opening book: one self-contained HTML page with tables and plots."""

from bordeaux.view.book.page import report

__all__ = ["report"]

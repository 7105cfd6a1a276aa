"""Errors of a book, a journal or the rules of a build."""

from bordeaux.board.errors import FormatError

__all__ = ["BookError"]


class BookError(FormatError):
    """A book, or a file that a book is built from, has an invalid form; the text is one line."""

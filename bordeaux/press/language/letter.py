"""A message with sender and recipients."""

from __future__ import annotations

from typing import NamedTuple

from bordeaux.press.language.messages import Message

__all__ = ["Letter"]


class Letter(NamedTuple):
    """A message with its sender and recipients."""

    sender: str
    to: tuple[str, ...]
    message: Message

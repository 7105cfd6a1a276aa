"""Orders given to a search, as text or in files.

They are sets to start from (paper 002, section 3.4), known orders of other powers, and agreements.
"""

from __future__ import annotations

from pathlib import Path

import click

from bordeaux.board.errors import BordeauxError, FormatError, OrderError, quote
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.board.submission import submit
from bordeaux.cli.orderfile import read_orders
from bordeaux.formats.order_sheet import orders_from_text
from bordeaux.formats.source import LARGEST_TEXT, name_of, open_source, parse_json, read_text
from bordeaux.search.agreements import Agreement, agreed

__all__ = ["read_agreements", "read_given", "read_suggestions"]

OPTION = "--suggest"
GIVEN = "--given"
AGREEMENTS = "--agreements"


def read_suggestions(
    given: tuple[str, ...],
    position: Position,
    source: str,
    other: str | None = None,
    agreements: str | None = None,
) -> list[list[Order]]:
    """The set of orders in each of `given`: a file, ``-`` for standard input, or orders separated by ``;``.

    A file holds ``{"POWER": ["A PAR H", ...]}``, the output of ``bordeaux orders --json``, or text. In a text
    every order belongs to the power before it, or to the one that can give it. `source` is the source of the
    position, `other` that of known orders, `agreements` that of agreements. Raises UsageError if two of them
    are standard input, and BordeauxError, one line that begins with the option, for orders that are illegal
    or unreadable.
    """
    if [*given, source, other, agreements].count("-") > 1:
        option = AGREEMENTS if agreements == "-" else GIVEN if other == "-" else OPTION
        raise click.UsageError(f"standard input can be read once only; give a file to {option}")
    sets = []
    for suggestion in given:
        try:
            by_power = (
                _from_source(suggestion, position)
                if _is_source(suggestion)
                else _from_text(suggestion, position)
            )
            sets.append([order for orders in by_power.values() for order in orders])
        except BordeauxError as error:
            raise type(error)(f"{OPTION}: {error}") from None
    return sets


def read_given(source: str, position: Position) -> dict[str, list[Order]]:
    """The orders by power in a file, ``-`` for standard input, in the form of suggestions.

    Raises BordeauxError, one line that begins with the option.
    """
    try:
        return _from_source(source, position)
    except BordeauxError as error:
        raise type(error)(f"{GIVEN}: {error}") from None


def read_agreements(source: str, position: Position) -> tuple[Agreement, ...]:
    """The agreements in a file, ``-`` for standard input: a JSON list of objects (`docs/search.md`).

    Raises BordeauxError, one line that begins with the option and names the wrong agreement.
    """
    try:
        with open_source(source) as handle:
            text = read_text(handle, most=LARGEST_TEXT)
        try:
            document = parse_json(text)
            if not isinstance(document, list):
                raise FormatError(f"agreements are a JSON list of objects, not {quote(document)}")
            return agreed(
                position, [_agreement(k, agreement) for k, agreement in enumerate(document, start=1)]
            )
        except BordeauxError as error:
            raise type(error)(f"{name_of(source)}: {error}") from None
    except BordeauxError as error:
        raise type(error)(f"{AGREEMENTS}: {error}") from None


def _agreement(number: int, data: object) -> Agreement:
    try:
        return Agreement.from_json(data)
    except BordeauxError as error:
        raise type(error)(f"agreement {number}: {error}") from None


def _is_source(given: str) -> bool:
    """Whether this is a file name and not orders: no order is a single word."""
    if given == "-" or len(given.split()) == 1:
        return True
    try:
        return Path(given).is_file()
    except (OSError, ValueError):
        return False


def _from_source(source: str, position: Position) -> dict[str, list[Order]]:
    by_power = read_orders(source, position)
    try:
        return _legal(by_power, position)
    except BordeauxError as error:
        raise type(error)(f"{name_of(source)}: {error}") from None


def _from_text(text: str, position: Position) -> dict[str, list[Order]]:
    by_power = orders_from_text(text, position)
    if not any(by_power.values()):
        raise OrderError("there are no orders; write them like 'A PAR - BUR; A MAR S A PAR - BUR'")
    return _legal(by_power, position)


def _legal(by_power: dict[str, list[Order]], position: Position) -> dict[str, list[Order]]:
    """All orders, if they are legal. Raises OrderError for the first that is not."""
    for order in submit(position, by_power).orders:
        if order.fault:
            raise OrderError(f"{order.order} is illegal in {position.phase}: {order.fault}")
    return by_power

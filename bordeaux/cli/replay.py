"""``bordeaux replay``: recorded games adjudicated afresh and compared with what the record says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from bordeaux.board.formats.games import Game, read_games
from bordeaux.cli.errors import NO
from bordeaux.cli.options import available_cores, json_option
from bordeaux.cli.output import print_json, print_table, print_text, table
from bordeaux.cli.progress import counting
from bordeaux.rules.replay import ReplayReport, replay_game

__all__ = ["command"]

"""The catalogue of players: where each is, what it is, and which of its options anybody may ask for."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, NamedTuple


class PlayerEntry(NamedTuple):
    """A named player: the place of its class, ``.module:class`` within this package, and a description of one
    line.

    `open` is the list of what strangers may ask for: options by name, each with the texts that are allowed.
    An option of numbers, of yes and no, or of a player needs no texts. None: only the owner of the machine
    may seat this player. An option is open if no value of it touches a file of others, a program or an
    address, and if work stays bounded. `rest` names the option that takes everything after the colon, if
    there is one; `first` an option that comes right after it without its name, and must be given. `startup`
    are the seconds that making the player may take.
    """

    target: str
    line: str
    open: Mapping[str, tuple[str, ...]] | None = None
    rest: str = ""
    first: str = ""
    startup: float = 60.0

    def kind(self) -> Any:
        """The class of the player."""
        module, _, attribute = self.target.partition(":")
        return getattr(importlib.import_module(module, __package__), attribute)


SMALL_NETS = ("people", "engines", "league")
NETS = (*SMALL_NETS, "people-wide")
"""The nets that come with the package; another name is a file."""
EVALUATIONS = ("centres", "default", "hand", "paper", "prospect")
"""The evaluations that come with the package; another name is a file."""
LEARNT = ("league",)
"""The learnt values that come with the package; another name is a file."""

NOTHING: Mapping[str, tuple[str, ...]] = {}
LIMITS: Mapping[str, tuple[str, ...]] = {"time": (), "nodes": ()}
"""A player's own limits only lower those of its table."""
ENGINE: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("level", "press", "book_phases", "draw", "seed"), ()),
    "character": ("honest", "tit-for-tat", "opportunist"),
    "book": ("none", "standard"),
    "evaluation": EVALUATIONS,
    "policy": NETS,
    "search": ("learnt", "paper"),
    **LIMITS,
}

CATALOGUE = {
    "hold": PlayerEntry(
        ".hold_and_random:Hold", "every unit holds; what is dislodged disbands; nothing is built", NOTHING
    ),
    "random": PlayerEntry(
        ".hold_and_random:RandBot", "RandBot: any legal orders, all equally likely", NOTHING
    ),
    "dumbbot": PlayerEntry(
        ".dumbbot:DumbBot", "DumbBot (Norman 2002): values by proximity, no search", {"neutral_value": ()}
    ),
    "dumbbot-weak": PlayerEntry(
        ".dumbbot:WeakDumbBot",
        "DumbBot as a widely used Python port plays it: slow to expand",
        {"neutral_value": ()},
    ),
    "haai-vanilla": PlayerEntry(".haai:HaaiVanilla", "HaAI (Håård 2004), weights Vanilla: cautious", NOTHING),
    "haai-berserk": PlayerEntry(".haai:HaaiBerserk", "HaAI (Håård 2004), weights Berserk: attacks", NOTHING),
    "diplominator": PlayerEntry(
        ".diplominator:Diplominator",
        "The Diplominator (Webb and others 2008): DumbBot's family, with an enemy factor, and peace to all",
        {"threshold": (), "memory": ()},
    ),
    "blabbot": PlayerEntry(
        ".talkers:BlabBot",
        "BlabBot (Newbury): DumbBot that offers peace; without press DumbBot",
        {"peace": ("ignore", "draw")},
    ),
    "liar": PlayerEntry(
        ".talkers:Liar",
        "promises everything and keeps nothing; plays as DumbBot, or `player`",
        {"player": ()},
    ),
    "parrot": PlayerEntry(
        ".talkers:Parrot", "agrees to everything and keeps it; plays as DumbBot, or `player`", {"player": ()}
    ),
    "diplobot": PlayerEntry(".diplobot:DiploBot", "DiploBot 1.2, as it has been described", NOTHING),
    "manchi-attack": PlayerEntry(".manchi:ManchiAttack", "Man'chi 7, Attack: one enemy at a time", NOTHING),
    "manchi-defence": PlayerEntry(".manchi:ManchiDefence", "Man'chi 7, Defence: own centres first", NOTHING),
    "people": PlayerEntry(
        ".people:Person",
        "plays like people in recorded games: a learnt net's draws, no search",
        {"temperature": (), "wide": ()},
    ),
    "policy": PlayerEntry(
        ".people:PolicyPlayer",
        "draws its orders from a learnt policy, `file`: no search",
        {"file": NETS, "temperature": ()},
    ),
    # With the wide net, and with many movements, it first looks at the clock after seconds.
    "sampler": PlayerEntry(
        ".sampler:Sampler",
        "draws 200 sets of orders a phase and plays the best",
        {"evaluation": EVALUATIONS, "policy": SMALL_NETS, "value": LEARNT, **LIMITS},
    ),
    "iterated": PlayerEntry(
        ".iterated.player:Iterated",
        "every power's sets of orders improved in turn, after Albert (van Hal)",
        {"alliances": (), **LIMITS},
    ),
    "bordeaux": PlayerEntry(
        ".bordeaux:Bordeaux", "this engine; `search=paper` for the search of Hall and Loeb", ENGINE
    ),
    "bordeaux-paper": PlayerEntry(
        ".bordeaux:BordeauxPaper",
        "the search of Hall and Loeb, sections 3 to 4.2 of their paper alone",
        {"seed": (), **LIMITS},
    ),
    "deepmind": PlayerEntry(
        ".deepmind:DeepMind",
        "the published agent of google-deepmind/diplomacy, from your own checkout",
        first="folder",
        startup=300.0,
    ),
    "program": PlayerEntry(
        ".program:Program", "a program of yours, one line in and one line out", rest="command"
    ),
    "dui": PlayerEntry(
        ".dui:DuiPlayer", "an engine that speaks DUI, such as `bordeaux engine`", rest="command"
    ),
}
"""All players by name."""

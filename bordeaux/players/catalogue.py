"""The catalogue of players: where each is, what it is, and which of its options anybody may ask for."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, NamedTuple


class PlayerEntry(NamedTuple):
    """A named player: the place of its class, ``module:class``, and a description of one line.

    `rest` names the option that takes everything after the colon, if there is one; `first` an option that
    comes right after it without its name, and must be given. `open` is the list of what strangers may ask
    for: options by name, each with the texts that are allowed. An option of numbers, of yes and no, or of a
    player needs no texts. None: only the owner of the machine may seat this player. An option is open if no
    value of it touches a file of others, a program or an address, and if work stays bounded. `startup` are
    the seconds that making the player may take.
    """

    target: str
    line: str
    rest: str = ""
    open: Mapping[str, tuple[str, ...]] | None = None
    first: str = ""
    startup: float = 60.0

    def kind(self) -> Any:
        """The class of the player."""
        module, _, attribute = self.target.partition(":")
        return getattr(importlib.import_module(module), attribute)


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

_PLAYERS = "bordeaux.players"
CATALOGUE = {
    "hold": PlayerEntry(
        f"{_PLAYERS}.hold_and_random:Hold",
        "every unit holds; what is dislodged disbands; nothing is built",
        open=NOTHING,
    ),
    "random": PlayerEntry(
        f"{_PLAYERS}.hold_and_random:RandBot", "RandBot: any legal orders, all equally likely", open=NOTHING
    ),
    "dumbbot": PlayerEntry(
        f"{_PLAYERS}.dumbbot:DumbBot",
        "DumbBot (Norman 2002): values by proximity, no search",
        open={"neutral_value": ()},
    ),
    "dumbbot-weak": PlayerEntry(
        f"{_PLAYERS}.dumbbot:WeakDumbBot",
        "DumbBot as a widely used Python port plays it: slow to expand",
        open={"neutral_value": ()},
    ),
    "haai-vanilla": PlayerEntry(
        f"{_PLAYERS}.haai:HaaiVanilla", "HaAI (Håård 2004), weights Vanilla: cautious", open=NOTHING
    ),
    "haai-berserk": PlayerEntry(
        f"{_PLAYERS}.haai:HaaiBerserk", "HaAI (Håård 2004), weights Berserk: attacks", open=NOTHING
    ),
    "diplominator": PlayerEntry(
        f"{_PLAYERS}.diplominator:Diplominator",
        "The Diplominator (Webb and others 2008): DumbBot's family, with an enemy factor, and peace to all",
        open={"threshold": (), "memory": ()},
    ),
    "blabbot": PlayerEntry(
        f"{_PLAYERS}.talkers:BlabBot",
        "BlabBot (Newbury): DumbBot that offers peace; without press DumbBot",
        open={"peace": ("ignore", "draw")},
    ),
    "liar": PlayerEntry(
        f"{_PLAYERS}.talkers:Liar",
        "promises everything and keeps nothing; plays as DumbBot, or `player`",
        open={"player": ()},
    ),
    "parrot": PlayerEntry(
        f"{_PLAYERS}.talkers:Parrot",
        "agrees to everything and keeps it; plays as DumbBot, or `player`",
        open={"player": ()},
    ),
    "diplobot": PlayerEntry(
        f"{_PLAYERS}.diplobot:DiploBot", "DiploBot 1.2, as it has been described", open=NOTHING
    ),
    "manchi-attack": PlayerEntry(
        f"{_PLAYERS}.manchi:ManchiAttack", "Man'chi 7, Attack: one enemy at a time", open=NOTHING
    ),
    "manchi-defence": PlayerEntry(
        f"{_PLAYERS}.manchi:ManchiDefence", "Man'chi 7, Defence: own centres first", open=NOTHING
    ),
    "people": PlayerEntry(
        f"{_PLAYERS}.people:Person",
        "plays like people in recorded games: a learnt net's draws, no search",
        open={"temperature": (), "wide": ()},
    ),
    "policy": PlayerEntry(
        f"{_PLAYERS}.people:PolicyPlayer",
        "draws its orders from a learnt policy, `file`: no search",
        open={"file": NETS, "temperature": ()},
    ),
    "sampler": PlayerEntry(
        f"{_PLAYERS}.sampler:Sampler",
        "draws 200 sets of orders a phase and plays the best",
        # With the wide net, and with many movements, it first looks at the clock after seconds.
        open={"evaluation": EVALUATIONS, "policy": SMALL_NETS, "value": LEARNT, **LIMITS},
    ),
    "iterated": PlayerEntry(
        f"{_PLAYERS}.iterated:Iterated",
        "every power's sets of orders improved in turn, after Albert (van Hal)",
        open={"alliances": (), "evaluation": ("own", *EVALUATIONS), **LIMITS},
    ),
    "bordeaux": PlayerEntry(
        f"{_PLAYERS}.bordeaux:Bordeaux",
        "this engine; `search=paper` for the search of Hall and Loeb",
        open={
            "level": (),
            "press": (),
            "character": ("honest", "tit-for-tat", "opportunist"),
            "book": ("none", "standard"),
            "book_phases": (),
            "draw": (),
            "evaluation": EVALUATIONS,
            "policy": NETS,
            "search": ("learnt", "paper"),
            "seed": (),
            **LIMITS,
        },
    ),
    "bordeaux-paper": PlayerEntry(
        f"{_PLAYERS}.bordeaux:BordeauxPaper",
        "the search of Hall and Loeb, sections 3 to 4.2 of their paper alone",
        open={"seed": (), **LIMITS},
    ),
    "deepmind": PlayerEntry(
        f"{_PLAYERS}.deepmind:DeepMind",
        "the published agent of google-deepmind/diplomacy, from your own checkout",
        first="folder",
        startup=300.0,
    ),
    "program": PlayerEntry(
        f"{_PLAYERS}.program:Program", "a program of yours, one line in and one line out", "command"
    ),
    "dui": PlayerEntry(
        f"{_PLAYERS}.dui:DuiPlayer", "an engine that speaks DUI, such as `bordeaux engine`", "command"
    ),
}
"""All players by name."""

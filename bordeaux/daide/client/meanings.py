"""The meanings of DAIDE's tokens, for people: results of orders, notes on orders, options of games.

Source: DAIDE Message Syntax 0.178 (LANGUAGE.md, sections 5 and 6).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

#: Results of an order, in words for one that failed.
RESULTS = {
    "BNC": "bounced",
    "CUT": "cut",
    "DSR": "convoy disrupted",
    "NSO": "not matched",
    "RET": "dislodged",
}

#: The words for results in saved games. Results not listed are illegal orders.
WORDS = {"SUC": "", "BNC": "bounce", "CUT": "cut", "DSR": "disrupted", "NSO": "void", "RET": "dislodged"}

#: Notes on an order that a server does not accept.
NOTES = {
    "MBV": "accepted",
    "FAR": "out of reach",
    "NSP": "there is no such province",
    "NSU": "there is no such unit",
    "NAS": "the convoying fleet is not at sea",
    "NSF": "there is no such fleet",
    "NSA": "there is no such army",
    "NYU": "not your unit",
    "NRN": "that unit need not retreat",
    "NVR": "it cannot retreat there",
    "YSC": "not a supply centre that you own",
    "ESC": "the centre is not empty",
    "HSC": "not a home centre of yours",
    "NSC": "not a supply centre",
    "CST": "which coast, or the wrong kind of unit for the place",
    "NMB": "you have no builds left",
    "NMR": "you have no removals left",
    "NRS": "no such order in this phase",
}

_LIMITS = {"MTL": "movement", "RTL": "retreats", "BTL": "builds"}
_FLAGS = {
    "DSD": "the clock stops for a missing player",
    "AOA": "illegal orders are taken, and fail",
    "PDA": "draws may leave powers out",
    "NPR": "no press with retreats",
    "NPB": "no press with builds",
}


def in_words(results: Iterable[str], needs_partner: bool = True) -> str:
    """The result of an order: ``bounced, dislodged``; "" for a plain success.

    `needs_partner` says whether it is a support, a convoy or a convoyed move. The package `diplomacy` uses
    NSO for all failures.
    """
    meanings = RESULTS if needs_partner else RESULTS | {"NSO": "failed"}
    return ", ".join(meanings.get(token) or NOTES.get(token, token) for token in results if token != "SUC")


def game_in_words(options: Mapping[str, int | None]) -> str:
    """The options of a game, as HLO lists them, in one line."""
    level = options.get("LVL") or 0
    said = [f"press level {level}" if level else "no press"]
    limits = [f"{what} {options[token]} s" for token, what in _LIMITS.items() if options.get(token)]
    said.append(", ".join(limits) or "no deadlines")
    said += [meaning for token, meaning in _FLAGS.items() if token in options]
    if options.get("PTL"):
        said.append(f"no press in the last {options['PTL']} s of movement")
    return "; ".join(said)

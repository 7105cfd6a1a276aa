"""Plays on a server of the PyPI package ``diplomacy``, over its websocket and with its own client library.

Notifications of the server become messages of a DAIDE server, and messages of the client become requests of
the package. So the bots of `bordeaux.daide.client` play on both, with one loop for phases and letters.
`AccountSeat` describes the place to play, `JoinBot` plays. The extra ``bordeaux-diplomacy[join]`` is needed.
"""

from bordeaux.protocols.package.connection import AccountSeat
from bordeaux.protocols.package.gateway import JoinBot, JoinPlayerBot

__all__ = ["AccountSeat", "JoinBot", "JoinPlayerBot"]

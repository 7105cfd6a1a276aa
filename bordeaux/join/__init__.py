"""Playing on a server of the PyPI package ``diplomacy``, over its websocket and with its own client
library.

The server's notifications become messages of a DAIDE server, and the client's messages become requests of
the package. So the bots of `bordeaux.daide.client` play on both, with one loop that answers phases and
carries letters. `Seat` says where to play, `JoinBot` plays. The package is needed:
``bordeaux-diplomacy[join]``.
"""

from bordeaux.join.bot import JoinBot, JoinPlayerBot
from bordeaux.join.seat import Seat

__all__ = ["JoinBot", "JoinPlayerBot", "Seat"]

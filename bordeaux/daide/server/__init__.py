"""The DAIDE server: the rules of a game as a state machine without sockets, and its network.

`ServerGame` takes the actions of clients with their times, and returns effects (`Send`, `Close`, `Save`).
`GameSettings` are its options.
"""

from bordeaux.daide.server.game import ServerGame
from bordeaux.daide.server.settings import GameSettings
from bordeaux.daide.server.table import Close, Effect, Note, Save, Send

__all__ = ["Close", "Effect", "GameSettings", "Note", "Save", "Send", "ServerGame"]

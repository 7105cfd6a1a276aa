"""The DAIDE server: the rules of a game as a state machine without sockets, and its network.

`Game` takes the actions of clients with their times, and returns effects (`Send`, `Close`, `Save`).
`Settings` are its options.
"""

from bordeaux.daide.server.effects import Close, Effect, Note, Replace, Save, Send
from bordeaux.daide.server.game import Game
from bordeaux.daide.server.settings import Settings

__all__ = ["Close", "Effect", "Game", "Note", "Replace", "Save", "Send", "Settings"]

"""Play Wandering Towers on a server: see README.md and docs/protocol.md."""

from .client import Closed, Player, Refused, open_table
from .messages import Game, Table, Update

__all__ = ["Closed", "Game", "Player", "Refused", "Table", "Update", "open_table"]

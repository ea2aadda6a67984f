"""Computer opponents: a seat's view and its legal choices in, a move out.

Everything here is pure and synchronous and knows no network and no clock. A bot sees what a person in its
seat sees and nothing else; thinking can take some milliseconds, so it belongs in a thread.
"""

from client.bots.bot import Bot, Computer, advise, choose
from client.bots.level import LEVELS, Level

__all__ = ["LEVELS", "Bot", "Computer", "Level", "advise", "choose"]

"""How a player comes to a match: what is wanted, as a value, and a file for each way to it."""

"""Who shows: the connection to a server, and what players see and type. It knows no rules."""

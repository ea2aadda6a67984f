"""Hostile input by the million: against the codec, the whole server, a server process, and the client."""

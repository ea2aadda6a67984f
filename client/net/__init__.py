"""The edge: connections, sessions, the local network, and what is kept on disk."""

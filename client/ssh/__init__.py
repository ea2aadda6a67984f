"""Whoever has only ssh is let in, recognised, and shown the ordinary client in a process of its own."""

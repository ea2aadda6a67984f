"""What travels between a client and the server: frames, moves, views, and the bytes they become.

This package decides nothing and draws nothing; it imports pydantic, msgpack, platformdirs and itself.
"""

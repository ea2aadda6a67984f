"""What travels: frames, moves, views, and the bytes that they become.

This package decides nothing and draws nothing; it imports pydantic, msgpack, platformdirs and itself.
"""

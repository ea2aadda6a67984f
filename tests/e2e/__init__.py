"""Tests with real server processes and real sockets, on loopback only."""

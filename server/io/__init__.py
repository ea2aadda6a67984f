"""The edge: event loop, listener, TLS, gate, journal, log and status."""

"""Benchmarks: each is a command, `python -m bench.NAME`, and compares with something on the same machine."""

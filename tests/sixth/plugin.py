"""Lets pytest collect its tests with a sixth game among the others: `pytest -p tests.sixth.plugin`."""

from tests.sixth import register

register()

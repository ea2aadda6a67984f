"""No test waits for the moment in which a page takes no keys; those about it say when it is over."""

import pytest


@pytest.fixture(autouse=True)
def put_off(monkeypatch):
    """Open pages ready for keys, and hand over what a test may put off instead."""
    waiting = []

    def after_haste(widget, then):
        if put_off.is_held:
            waiting.append(then)
        else:
            then()

    class PutOff:
        is_held = False

        def __call__(self):
            while waiting:
                waiting.pop(0)()

    put_off = PutOff()
    for module in ("client.tui.games.pick", "client.tui.match"):
        monkeypatch.setattr(f"{module}.after_haste", after_haste, raising=False)
    return put_off

"""Where things are kept: in the folder that is named, else in the system's usual place."""

from protocol.process.home import home


def test_home_can_be_named_and_has_a_usual_place(monkeypatch, tmp_path):
    monkeypatch.setenv("CONQUEST_HOME", str(tmp_path))
    assert home() == tmp_path
    monkeypatch.delenv("CONQUEST_HOME")
    assert home().name == "conquest"

"""Sessions are found by token, forgotten with all their tokens, and brought back from facts."""

from server.core.entry import Fact
from server.core.session import Sessions, hash_token


def test_sessions_find_changes_nothing():
    sessions = Sessions(lambda n: n - 1)
    session, token = sessions.open("Anna", "192.0.2.1")
    assert sessions.find(token) is session
    assert sessions.find(token + "x") is None
    assert (session.token_hash, session.old_hash) == (hash_token(token), None)


def test_sessions_drop_forgets_both_tokens():
    draws = iter(range(1, 100))
    sessions = Sessions(lambda n: next(draws))
    session, first = sessions.open("Anna", "192.0.2.1")
    second = sessions.rotate(session, first)
    sessions.drop(session)
    assert len(sessions) == 0
    assert sessions.find(first) is None
    assert sessions.find(second) is None


def test_sessions_restore_takes_session_records_only():
    sessions = Sessions(lambda n: 0)
    assert sessions.restore(Fact("alive", {"at": 1.0})) is None
    restored = sessions.restore(Fact("session:7", {"name": "Anna", "token": "t", "old": None}))
    assert (restored.id, restored.name, restored.is_kept) == (7, "Anna", True)
    assert list(sessions) == [restored]

"""The certificate: made once, kept, and known by its fingerprint."""

import os
import re
import ssl
import stat
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from protocol.link import fingerprint_of
from server.io.tls import CERTIFICATE, KEY, CannotSecure, server_context


def test_a_certificate_is_made_at_first_and_kept(tmp_path):
    folder = tmp_path / "new" / "folder"
    _, first = server_context(folder)
    _, again = server_context(folder)
    assert first == again
    assert re.fullmatch(r"[A-Za-z0-9_-]{43}", first)
    assert sorted(file.name for file in folder.iterdir()) == [CERTIFICATE, KEY]


def test_servers_that_start_together_for_the_first_time_share_one_certificate(tmp_path):
    starts, at_once = 8, threading.Barrier(8)

    def started(_: int) -> str:
        at_once.wait()
        return server_context(tmp_path / "new")[1]

    with ThreadPoolExecutor(starts) as pool:
        assert len(set(pool.map(started, range(starts)))) == 1


def test_the_fingerprint_is_that_of_the_certificate_which_is_shown(tmp_path):
    _, shown = server_context(tmp_path)
    der = ssl.PEM_cert_to_DER_cert((tmp_path / CERTIFICATE).read_text())
    assert fingerprint_of(der) == shown


def test_two_servers_have_two_certificates(tmp_path):
    assert server_context(tmp_path / "one")[1] != server_context(tmp_path / "two")[1]


def test_only_the_owner_may_read_the_key(tmp_path):
    server_context(tmp_path)
    assert stat.S_IMODE((tmp_path / KEY).stat().st_mode) == 0o600


def test_a_key_that_others_could_read_is_taken_away_from_them(tmp_path, caplog):
    _, first = server_context(tmp_path)
    assert not caplog.records
    (tmp_path / KEY).chmod(0o644)
    assert server_context(tmp_path)[1] == first
    assert stat.S_IMODE((tmp_path / KEY).stat().st_mode) == 0o600
    assert "could be read by others" in caplog.text


def test_key_and_certificate_are_on_disk_with_their_names(tmp_path, monkeypatch):
    synced, sync = [], os.fsync
    monkeypatch.setattr(os, "fsync", lambda file: synced.append(os.fstat(file)) or sync(file))
    server_context(tmp_path)
    assert [stat.S_ISDIR(each.st_mode) for each in synced] == [False, True] * 2


def test_nothing_older_than_tls_1_3_is_spoken(tmp_path):
    context, _ = server_context(tmp_path)
    assert context.minimum_version == ssl.TLSVersion.TLSv1_3


def test_half_a_pair_is_made_anew(tmp_path):
    _, first = server_context(tmp_path)
    (tmp_path / KEY).unlink()
    assert server_context(tmp_path)[1] != first


@pytest.mark.parametrize("name", [CERTIFICATE, KEY])
def test_a_damaged_certificate_or_key_is_named_and_not_replaced(tmp_path, name):
    server_context(tmp_path)
    (tmp_path / name).write_text("nonsense")
    with pytest.raises(CannotSecure, match=r"The certificate in .* cannot be used: .+\."):
        server_context(tmp_path)
    assert (tmp_path / name).read_text() == "nonsense"


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotSecure, match="cannot be used"):
        server_context(tmp_path / "file" / "folder")

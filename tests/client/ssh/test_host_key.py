"""The key by which visitors know the server."""

from pathlib import Path

import pytest

from client.core.failure import CouldNot
from client.ssh.host_key import NAME, host_key


def test_the_key_is_made_once_and_for_its_owners_eyes_alone(tmp_path: Path) -> None:
    made = host_key(tmp_path / "new")
    path = tmp_path / "new" / NAME
    assert path.stat().st_mode & 0o777 == 0o600
    assert made.get_fingerprint().startswith("SHA256:")
    assert host_key(tmp_path / "new").get_fingerprint() == made.get_fingerprint()


def test_a_key_that_is_none_or_cannot_be_kept_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text("no key")
    with pytest.raises(CouldNot, match=r"ssh_host_key is no key; remove it"):
        host_key(tmp_path)
    with pytest.raises(CouldNot, match=r"The key for ssh in .* cannot be used: .+\."):
        host_key(tmp_path / NAME)

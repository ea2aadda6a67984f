"""The server's certificate: made at first start, kept, and known to friends by its fingerprint.

Nobody vouches for it, and nobody needs to: the fingerprint travels in the join link.
"""

import contextlib
import datetime
import logging
import os
import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from protocol.link import fingerprint_of
from protocol.process.file import write_whole

CERTIFICATE = "server.crt"
KEY = "server.key"
VALID_DAYS = 3650

log = logging.getLogger("conquest.server")


class CannotSecure(Exception):
    """The certificate cannot be made or read; the message is a sentence that says why."""


class Identity(NamedTuple):
    """What proves that a server is the one of its fingerprint."""

    certificate: bytes
    """In DER form."""
    key: bytes
    """In PEM form."""


def identity(folder: Path) -> Identity:
    """Return what a context was made of; raise OSError."""
    certificate = ssl.PEM_cert_to_DER_cert((folder / CERTIFICATE).read_text())
    return Identity(certificate, (folder / KEY).read_bytes())


def server_context(folder: Path) -> tuple[ssl.SSLContext, str]:
    """Return the context for encrypted connections and the certificate's fingerprint."""
    try:
        if not _is_made(folder):
            with _alone_in(folder):
                # Another server may have made it meanwhile; half of its and half of ours would fit nobody.
                if not _is_made(folder):
                    _make(folder)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        # Nobody resumes a TLS session here; a ticket for each connection would only cost memory.
        context.num_tickets = 0
        context.load_cert_chain(folder / CERTIFICATE, folder / KEY)
        _tighten(folder / KEY)
        pem = (folder / CERTIFICATE).read_text()
    except OSError as error:
        why = error.strerror or error
        raise CannotSecure(f"The certificate in {folder} cannot be used: {why}.") from error
    return context, fingerprint_of(ssl.PEM_cert_to_DER_cert(pem))


def _is_made(folder: Path) -> bool:
    return (folder / CERTIFICATE).exists() and (folder / KEY).exists()


@contextlib.contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Keep other servers from making a certificate in a folder meanwhile, where the system can do that."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        import fcntl
    except ImportError:
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _make(folder: Path) -> None:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Conquest")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=VALID_DAYS))
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    write_whole(folder / KEY, private)
    write_whole(folder / CERTIFICATE, certificate.public_bytes(serialization.Encoding.PEM), 0o644)


def _tighten(key: Path) -> None:
    """Take the key away from everybody but its owner, whoever has copied or restored it."""
    found = key.stat()
    if os.name == "posix" and found.st_uid == os.geteuid() and found.st_mode & 0o077:
        key.chmod(0o600)
        log.warning("The key %s could be read by others; now it cannot.", key)

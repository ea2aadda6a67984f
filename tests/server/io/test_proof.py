"""Only the owner of a certificate's key makes a proof, whatever kind of key it is."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from protocol.link import fingerprint_of, url_text
from protocol.relay import Host, Proof, to_sign
from server.io import tls
from server.io.proof import LARGEST_RSA, is_signed, sign
from tests.server.io.test_tls import server_context

CHALLENGE = "c" * 43
RELAY = "relay.example:7717"


def certified(private) -> tuple[Host, bytes, bytes]:
    """Return a host with a certificate for a key, the certificate, and the key as it is kept."""
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Conquest")])
    plain = isinstance(private, ed25519.Ed25519PrivateKey | ed448.Ed448PrivateKey)
    now = datetime.now(UTC)
    der = (
        x509.CertificateBuilder(name, name, private.public_key(), x509.random_serial_number())
        .not_valid_before(now)
        .not_valid_after(now + timedelta(days=1))
        .sign(private, None if plain else SHA256())
        .public_bytes(Encoding.DER)
    )
    pem = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return Host(fingerprint_of(der), 7717, RELAY), der, pem


def proof(host: Host, certificate: bytes, key: bytes, challenge: str = CHALLENGE) -> Proof:
    return Proof(url_text(certificate), url_text(sign(key, to_sign(host, challenge))), "-")


@pytest.fixture(scope="module")
def others() -> tuple[Host, bytes, bytes]:
    return certified(ec.generate_private_key(ec.SECP256R1()))


@pytest.mark.parametrize(
    "make",
    [
        lambda: ec.generate_private_key(ec.SECP256R1()),
        lambda: ec.generate_private_key(ec.SECP384R1()),
        ed25519.Ed25519PrivateKey.generate,
        lambda: rsa.generate_private_key(65537, 2048),
    ],
    ids=["p256", "p384", "ed25519", "rsa"],
)
def test_a_proof_is_good_for_its_own_host_challenge_and_relay_alone(make, others):
    host, certificate, key = certified(make())
    good = proof(host, certificate, key)
    assert is_signed(host, CHALLENGE, good)
    assert not is_signed(host, "d" * 43, good)
    assert not is_signed(Host(host.fingerprint, 7718, RELAY), CHALLENGE, good)
    assert not is_signed(Host(host.fingerprint, 7717, "other:7717"), CHALLENGE, good)
    other, others_certificate, others_key = others
    assert not is_signed(host, CHALLENGE, Proof(good.certificate, proof(other, *others[1:]).signature, "-"))
    assert not is_signed(host, CHALLENGE, proof(host, certificate, others_key)), "the friend's certificate"
    assert not is_signed(host, CHALLENGE, proof(host, others_certificate, others_key)), "another fingerprint"


def test_the_servers_own_certificate_makes_a_proof(tmp_path: Path) -> None:
    _, fingerprint = server_context(tmp_path)
    certificate, key = tls.identity(tmp_path)
    host = Host(fingerprint, 7717, RELAY)
    assert is_signed(host, CHALLENGE, proof(host, certificate, key))


@pytest.mark.parametrize("damage", ["", "A", "AAAA", "-", "_" * 3000])
def test_damaged_proofs_are_none(others, damage):
    host, certificate, key = others
    good = proof(host, certificate, key)
    assert not is_signed(host, CHALLENGE, Proof(damage, good.signature, "-"))
    assert not is_signed(host, CHALLENGE, Proof(good.certificate, damage, "-"))
    junk = Host(fingerprint_of(certificate[:-9]), 7717, RELAY)
    assert not is_signed(junk, CHALLENGE, Proof(url_text(certificate[:-9]), good.signature, "-"))


def test_keys_that_cost_too_much_or_are_not_known_are_refused():
    host, certificate, key = certified(rsa.generate_private_key(65537, LARGEST_RSA + 8))
    assert not is_signed(host, CHALLENGE, proof(host, certificate, key))
    strange = ed448.Ed448PrivateKey.generate()
    host, certificate, key = certified(strange)
    assert not is_signed(host, CHALLENGE, Proof(url_text(certificate), "AAAA", "-"))
    with pytest.raises(ValueError, match="of a kind that relays do not know"):
        sign(key, b"")
    assert strange.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

"""Signing with a certificate's key, and telling whether somebody else has done so."""

import hashlib

from protocol.link import from_url_text, url_text
from protocol.relay import Host, Proof, to_sign

LARGEST_RSA = 4096
"""Bits: what is larger costs more to look at than a stranger may ask for."""


def sign(key: bytes, text: bytes) -> bytes:
    """Sign with a private key in PEM form."""
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    match load_pem_private_key(key, None):
        case ec.EllipticCurvePrivateKey() as private:
            return private.sign(text, ec.ECDSA(SHA256()))
        case ed25519.Ed25519PrivateKey() as private:
            return private.sign(text)
        case rsa.RSAPrivateKey() as private:
            return private.sign(text, padding.PKCS1v15(), SHA256())
    raise ValueError("the key of the certificate is of a kind that relays do not know")


def is_signed(host: Host, challenge: str, proof: Proof) -> bool:
    """Tell whether a proof shows that the fingerprint is the host's own."""
    from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm

    try:
        certificate = from_url_text(proof.certificate)
        if url_text(hashlib.sha256(certificate).digest()) != host.fingerprint:
            return False
        _verify(certificate, from_url_text(proof.signature), to_sign(host, challenge))
    except (ValueError, InvalidSignature, UnsupportedAlgorithm):
        return False
    return True


def _verify(certificate: bytes, signature: bytes, text: bytes) -> None:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
    from cryptography.hazmat.primitives.hashes import SHA256

    match x509.load_der_x509_certificate(certificate).public_key():
        case ec.EllipticCurvePublicKey() as public:
            public.verify(signature, text, ec.ECDSA(SHA256()))
        case ed25519.Ed25519PublicKey() as public:
            public.verify(signature, text)
        case rsa.RSAPublicKey() as public if public.key_size <= LARGEST_RSA:
            public.verify(signature, text, padding.PKCS1v15(), SHA256())
        case _:
            raise ValueError("a key of another kind")

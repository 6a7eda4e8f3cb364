"""Texts for browsers are sealed as in the appendix of RFC 8291, and signed as in RFC 8292."""

import json

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from tests.builders import AT
from tournament.alerts.sealing import decoded, encoded, point_of, proof, read_point, seal, sender, sender_key

TEXT = b"When I grow up, I want to be a watermelon"
OWN = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
OWN_POINT = "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
BROWSER = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
SALT, AUTH = "DGv6ra1nlYgDCS1FRnbzlw", "BTBZMqHH6r4Tts7J_aSIgg"
SEALED = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
    "7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def test_the_example_of_the_standard():
    own = ec.derive_private_key(int.from_bytes(decoded(OWN), "big"), ec.SECP256R1())
    assert encoded(point_of(own.public_key())) == OWN_POINT
    sealed = seal(TEXT, browser=read_point(BROWSER), auth=decoded(AUTH), own=own, salt=decoded(SALT))
    assert encoded(sealed) == SEALED


def test_no_two_texts_are_sealed_alike():
    same = {"browser": read_point(BROWSER), "auth": decoded(AUTH)}
    assert seal(TEXT, **same) != seal(TEXT, **same)


def test_the_key_of_an_installation_follows_from_its_secret_alone():
    assert sender("one secret") == sender("one secret")
    assert sender("one secret") != sender("another")
    assert len(decoded(sender("one secret"))) == 65


def test_a_push_service_can_check_who_sends():
    header = proof("https://push.example.org:8443/a/b?c", secret="s", contact="https://play.example.org", at=AT)
    token, key = (part.split("=", 1)[1] for part in header.removeprefix("vapid ").split(", "))
    head, body, signature = token.split(".")
    assert json.loads(decoded(head)) == {"typ": "JWT", "alg": "ES256"}
    claims = json.loads(decoded(body))
    assert (claims["aud"], claims["sub"]) == ("https://push.example.org:8443", "https://play.example.org")
    assert 0 < claims["exp"] - AT.timestamp() <= 24 * 3600
    raw = decoded(signature)
    made = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    assert key == sender("s") == encoded(point_of(sender_key("s").public_key()))
    read_point(key).verify(made, f"{head}.{body}".encode(), ec.ECDSA(SHA256()))
    with pytest.raises(InvalidSignature):
        read_point(key).verify(made, f"{head}.{body}x".encode(), ec.ECDSA(SHA256()))

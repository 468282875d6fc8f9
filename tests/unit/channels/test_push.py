"""Web push: the encryption against the RFC's own example, and the addresses that a browser may name."""

from __future__ import annotations

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec
from push_fake import DeviceFake, decrypt, plain, text

from handrail import settings
from handrail.channels.push import encryption, link, vapid

# RFC 8291, appendix A
TEXT = b"When I grow up, I want to be a watermelon"
SENDER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
DEVICE = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
DEVICE_PRIVATE = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
AUTH, SALT = "BTBZMqHH6r4Tts7J_aSIgg", "DGv6ra1nlYgDCS1FRnbzlw"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A"
    "_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def private(scalar: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(plain(scalar)), ec.SECP256R1())


def test_the_example_of_the_rfc_comes_out_byte_for_byte() -> None:
    assert text(encryption.encrypt(TEXT, plain(DEVICE), plain(AUTH), plain(SALT), private(SENDER))) == BODY
    assert decrypt(plain(BODY), private(DEVICE_PRIVATE), plain(AUTH)) == TEXT


def test_each_message_is_another_and_only_its_device_reads_it() -> None:
    device, other = DeviceFake("https://push.example"), DeviceFake("https://push.example")
    point = encryption.point_of(device.key)
    one, two = (encryption.encrypt(TEXT, point, device.auth) for _ in range(2))
    assert one != two
    assert decrypt(one, device.key, device.auth) == decrypt(two, device.key, device.auth) == TEXT
    with pytest.raises(InvalidTag):
        decrypt(one, device.key, other.auth)


def test_the_longest_message_fits_what_services_take_and_a_longer_one_is_refused() -> None:
    device = DeviceFake("https://push.example")
    point = encryption.point_of(device.key)
    longest = b"x" * encryption.MOST_BYTES
    assert len(encryption.encrypt(longest, point, device.auth)) == 4096
    with pytest.raises(ValueError, match="at most"):
        encryption.encrypt(longest + b"x", point, device.auth)


@pytest.mark.parametrize("bad", [b"", b"\x04" + bytes(64), b"\x02" + bytes(32), bytes(65), b"\x05" * 65])
def test_what_is_no_point_of_the_curve_is_refused(bad: bytes) -> None:
    with pytest.raises(ValueError):
        encryption.public_key(bad)


@pytest.mark.parametrize("bad", ["a+b", "a/b", "ä", "a b", "a", "====", "a\n"])
def test_what_is_not_base64url_is_refused(bad: str) -> None:
    with pytest.raises(ValueError):
        vapid.from_text(bad)


SERVICES = [
    "https://fcm.googleapis.com/fcm/send/abc",
    "https://updates.push.services.mozilla.com/wpush/v2/abc",
    "https://wns2-by3p.notify.windows.com/w/?token=abc",
    "https://web.push.apple.com/abc",
    "https://fcm.googleapis.com:443/fcm/send/abc",
]
ELSEWHERE = [
    "http://fcm.googleapis.com/fcm/send/abc",
    "https://fcm.googleapis.com:8443/x",
    "https://fcm.googleapis.com.evil.example/x",
    "https://evilfcm.googleapis.com/x",
    "https://evil.example/fcm.googleapis.com",
    "https://fcm.googleapis.com@evil.example/x",
    "https://user:password@fcm.googleapis.com/x",
    "https://169.254.169.254/latest/meta-data",
    "https://127.0.0.1/x",
    "https://localhost/x",
    "http://127.0.0.1:5432/",
    "https://[::1]/x",
    "https://[::ffff:127.0.0.1]/x",
    "https://2130706433/x",
    "https://10.0.0.1/x",
    "https:fcm.googleapis.com",
    "//fcm.googleapis.com/x",
    "file:///etc/passwd",
    "gopher://fcm.googleapis.com/x",
    "https://fcm.googleapis.com\\@evil.example/x",
    "https://evil.example\\.fcm.googleapis.com/x",
    "https://fcm.googleapis.com:99999/x",
    "https://[fcm.googleapis.com/x",
    "https://fcm.googleapis.com/x#part",
    "https://fcm.googleapis.com/a\r\nX: y",
    "https://fcm.googleapis.com\t.evil.example/x",
    "https://ﬁcm.googleapis.com/x",
    "",
]


@pytest.mark.parametrize("address", SERVICES)
def test_push_services_of_browsers_are_sent_to(address: str) -> None:
    assert link.is_allowed(settings.load(), address)


@pytest.mark.parametrize("address", ELSEWHERE)
def test_nothing_else_is_sent_to(address: str) -> None:
    assert not link.is_allowed(settings.load(), address)


def test_this_machine_is_sent_to_only_where_the_operator_names_it() -> None:
    named = settings.load(push_hosts="127.0.0.1")
    assert link.is_allowed(named, "http://127.0.0.1:9000/push/x")
    assert not link.is_allowed(named, "http://localhost:9000/push/x")
    assert not link.is_allowed(named, "http://fcm.googleapis.com/x")
    # a name below a local one is not local
    assert not link.is_allowed(settings.load(push_hosts="localhost"), "http://evil.localhost/x")

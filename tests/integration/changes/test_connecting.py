"""Connections to a host's API: over TLS, to the address that was checked, and only with the host's own certificate."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from handrail.changes.publishing.connecting import connected
from handrail.changes.publishing.errors import AddressRefused
from handrail.sandbox.cloning import CloneLimits

LOCALHOST = CloneLimits(private_hosts=frozenset({"localhost"}))
HEARD: list[str] = []


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        HEARD.append(self.headers["Host"])
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the parent's name
        pass


@contextmanager
def serving(folder: Path, name: str) -> Generator[int]:
    """With a certificate for that name, which the file `folder/cert.pem` makes trusted. Nobody listens on the IPv6
    address that `localhost` may have as well."""
    key = generate_private_key(SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(certificate.public_bytes(Encoding.PEM))
    (folder / "key.pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


async def test_the_host_is_reached_by_its_address_under_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(tmp_path, "localhost") as port:
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
        async with connected(f"https://localhost:{port}/api/", LOCALHOST) as client:
            assert (await client.get("user")).status_code == 200
        assert HEARD[-1] == f"localhost:{port}"


async def test_a_certificate_for_another_name_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(tmp_path, "git.example.org") as port:
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
        async with connected(f"https://localhost:{port}/api/", LOCALHOST) as client:
            with pytest.raises(httpx.ConnectError, match="certificate"):
                await client.get("user")


async def test_a_certificate_that_nobody_trusts_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path, "localhost") as port:
        async with connected(f"https://localhost:{port}/api/", LOCALHOST) as client:
            with pytest.raises(httpx.ConnectError, match="certificate"):
                await client.get("user")


@pytest.mark.parametrize("base", ["https://localhost/api/", "http://github.com/api/", "https://nowhere.invalid/"])
async def test_private_plain_and_unknown_hosts_are_refused(base: str) -> None:
    with pytest.raises(AddressRefused):
        async with connected(base, CloneLimits()):
            pass

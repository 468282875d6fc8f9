"""A real mail server on loopback that keeps what it gets."""

from __future__ import annotations

import asyncio
import email
import socket
import ssl
import warnings
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import default
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from aiosmtpd.smtp import SMTP, Envelope, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID


@dataclass
class Sink:
    """Refuses mail to those in `refused`, permanently to those in `unknown`; where `silent`, takes a message and never
    says so."""

    mail: list[tuple[str, EmailMessage]] = field(default_factory=list[tuple[str, EmailMessage]])
    refused: set[str] = field(default_factory=set[str])
    unknown: set[str] = field(default_factory=set[str])
    silent: bool = False
    host: str = "127.0.0.1"
    port: int = 0

    def __post_init__(self) -> None:
        with socket.socket() as reserved:
            reserved.bind((self.host, 0))
            self.port = reserved.getsockname()[1]

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, rcpt_options: list[str]
    ) -> str:
        if address in self.unknown:
            return "550 5.1.1 no such user"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        [to] = envelope.rcpt_tos
        if to in self.refused:
            return "451 later"
        assert isinstance(envelope.content, bytes)
        message = email.message_from_bytes(envelope.content, policy=default)
        assert isinstance(message, EmailMessage)
        self.mail.append((to, message))
        if self.silent:
            await asyncio.Event().wait()
        return "250 OK"

    @asynccontextmanager
    async def serving(self, implicit: ssl.SSLContext | None = None, **options: Any) -> AsyncGenerator[None]:
        """`implicit`: TLS from the start; `options` are those of the SMTP server, such as STARTTLS."""
        loop = asyncio.get_running_loop()

        def connection() -> SMTP:
            # it warns of logins without STARTTLS, though the connection may be TLS from the start
            with warnings.catch_warnings(action="ignore"):
                return SMTP(self, hostname="sink", loop=loop, **options)

        server = await loop.create_server(connection, self.host, self.port, ssl=implicit)
        try:
            yield
        finally:
            server.close()

    async def until(self, count: int) -> None:
        """Returns when there are so many messages."""
        async with asyncio.timeout(30):
            while len(self.mail) < count:  # noqa: ASYNC110 - nothing tells of it
                await asyncio.sleep(0.01)


def certificate(folder: Path, host: str) -> tuple[Path, ssl.SSLContext]:
    """A self-signed certificate for an address, and a server's context with it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "sink")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address(host))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    public, both = folder / "sink.pem", folder / "sink-with-key.pem"
    public.write_bytes(made.public_bytes(Encoding.PEM))
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    both.write_bytes(public.read_bytes() + private)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(both)
    return public, context

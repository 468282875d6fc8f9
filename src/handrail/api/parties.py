"""Who we are to authenticators: the site's name, which must be one, and the page's address."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.requests import Request

from handrail.api.gate import host_name
from handrail.api.schemas.passkeys import PasskeySignature
from handrail.api.services import services_of
from handrail.core import errors, passkeys
from handrail.core.passkeys import Assertion, Party
from handrail.holds.signing import Signed


def party_of(request: Request) -> Party:
    """By the public address, or as `localhost`; an address of digits is no name, and browsers refuse it."""
    public = services_of(request).settings.public_url
    origin = public or f"{request.url.scheme}://{request.headers['host']}"
    name = urlsplit(origin).hostname or ""
    if _is_address(name) or (public is None and name != "localhost"):
        port = urlsplit(f"//{request.headers['host']}").port
        here = f"http://localhost:{port}" if port else "http://localhost"
        raise errors.PasskeyNeedsName(
            f"Passkeys need a name, and this page was opened as {host_name(request.headers['host'])}. On the server's "
            f"own machine open {here}; elsewhere set HANDRAIL_PUBLIC_URL to the name that people use."
        )
    return Party(name, origin)


def signed_of(request: Request, given: PasskeySignature) -> Signed:
    assertion = assertion_of(given.id, given.client_data, given.authenticator_data, given.signature)
    return Signed(assertion, given.nonce, party_of(request))


def assertion_of(id_: str, client_data: str, authenticator_data: str, signature: str) -> Assertion:
    try:
        return Assertion(*(passkeys.decode(each) for each in (id_, client_data, authenticator_data, signature)))
    except passkeys.Refused as refusal:
        raise errors.InvalidField("`passkey` has a field that is not base64url", field="passkey") from refusal


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True

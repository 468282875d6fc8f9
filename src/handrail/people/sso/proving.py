"""Whether a token that a provider signed says what it must, to us, now. Pure: keys and the time are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import jwt

from handrail.core.errors import SsoRefused
from handrail.people.sso.providers import Provider

# signatures that only the provider can make: with a shared secret, or with none, anybody could
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
KINDS = {"RSA": ("RS", "PS"), "EC": ("ES",), "OKP": ("Ed",)}
# how far the provider's clock may be from ours
SKEW_SECONDS = 60
LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout"
LOGOUT_SECONDS = 300
LONGEST_SUBJECT = 255

Claims = Mapping[str, Any]
Jwk = Mapping[str, Any]


class UnknownKey(Exception):
    """No key of these made the signature: the provider may have new ones."""


def identity(token: str, keys: Sequence[Jwk], provider: Provider, nonce: str | None, now: datetime) -> Claims:
    """What an ID token claims. Without a nonce it came with a refresh, which needs none."""
    claims = _signed(token, keys, provider, now)
    if not isinstance(claims.get("exp"), int | float):
        raise SsoRefused("The ID token does not say when it expires.")
    if nonce is not None and claims.get("nonce") != nonce:
        raise SsoRefused("The ID token belongs to another sign-in.")
    subject_of(claims)
    return claims


def logout(token: str, keys: Sequence[Jwk], provider: Provider, now: datetime) -> Claims:
    """What a logout token claims: `sub`, `sid` or both, and the `jti` by which it is known."""
    claims = _signed(token, keys, provider, now)
    events = claims.get("events")
    if not isinstance(events, dict) or LOGOUT_EVENT not in events or "nonce" in claims:
        raise SsoRefused("This is not a logout token.")
    issued = claims.get("iat")
    if not isinstance(issued, int | float) or now.timestamp() - issued > LOGOUT_SECONDS:
        raise SsoRefused("The logout token is too old.")
    named = [claims.get(name) for name in ("sub", "sid")]
    if not any(isinstance(each, str) and each for each in named) or not isinstance(claims.get("jti"), str):
        raise SsoRefused("The logout token names nobody, or has no id.")
    return claims


def subject_of(claims: Claims) -> str:
    subject = claims.get("sub")
    if not isinstance(subject, str) or not 0 < len(subject) <= LONGEST_SUBJECT:
        raise SsoRefused("The provider's answer names nobody.")
    return subject


def _signed(token: str, keys: Sequence[Jwk], provider: Provider, now: datetime) -> Claims:
    try:
        header = jwt.get_unverified_header(token)
        algorithm = header.get("alg")
        if algorithm not in ALGORITHMS:
            raise SsoRefused(f"The token is signed with {algorithm!r}, which is not accepted.")
        key = _key(keys, header.get("kid"), algorithm)
        # time and audience are checked below: by the database's clock, and with the authorised party
        options: Any = {"verify_exp": False, "verify_iat": False, "verify_nbf": False, "verify_aud": False}
        claims: Claims = jwt.decode(token, key, algorithms=[algorithm], options=options)
    except jwt.PyJWTError as error:
        raise SsoRefused(f"The token cannot be verified: {error}") from error
    _check_meant(claims, provider)
    _check_time(claims, now.timestamp())
    return claims


def _key(keys: Sequence[Jwk], kid: Any, algorithm: str) -> jwt.PyJWK:
    fitting = [
        key
        for key in keys
        if algorithm.startswith(KINDS.get(str(key.get("kty")), ()))
        and key.get("use") in (None, "sig")
        and key.get("alg") in (None, algorithm)
        and (kid is None or key.get("kid") == kid)
    ]
    # without a name, only a single key can be meant
    if not fitting or (kid is None and len(fitting) > 1):
        raise UnknownKey
    return jwt.PyJWK.from_dict(dict(fitting[0]), algorithm)


def _check_meant(claims: Claims, provider: Provider) -> None:
    if claims.get("iss") != provider.issuer:
        raise SsoRefused("The token comes from another provider.")
    audience = claims.get("aud")
    meant: list[Any] = list(audience) if isinstance(audience, list) else [audience]  # pyright: ignore[reportUnknownArgumentType]: JSON
    party = claims.get("azp")
    if provider.client_id not in meant or (len(meant) > 1 and party is None):
        raise SsoRefused("The token is meant for another application.")
    if party is not None and party != provider.client_id:
        raise SsoRefused("The token was given to another application.")


def _check_time(claims: Claims, now: float) -> None:
    for name, late in (("exp", True), ("iat", False), ("nbf", False)):
        moment = claims.get(name)
        if moment is None:
            continue
        if not isinstance(moment, int | float) or isinstance(moment, bool):
            raise SsoRefused(f"The token's `{name}` is not a time.")
        if late and now >= moment + SKEW_SECONDS:
            raise SsoRefused("The token has expired. If this happens at every sign-in, compare the clocks.")
        if not late and moment > now + SKEW_SECONDS:
            raise SsoRefused("The token comes from the future: compare the provider's clock with this server's.")

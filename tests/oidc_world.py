"""A real OpenID Connect provider on loopback (npm's `oidc-provider`), and people who sign in there."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import httpx
from server import NO_CERTIFICATES

PROGRAM = Path(__file__).with_name("oidc_provider.mjs")
TABLE = {"platform": ["tech_lead"], "leads": ["team_lead"], "keepers": ["administrator"]}


@dataclass(frozen=True)
class Oidc:
    """The provider; what it is told to do lasts until it is told otherwise."""

    issuer: str

    def tell(self, what: str, **fields: Any) -> dict[str, Any]:
        with httpx.Client(base_url=self.issuer, trust_env=False, verify=NO_CERTIFICATES) as http:
            return http.post(f"/test/{what}", json=fields).raise_for_status().json()

    def employs(self, subject: str, *groups: str, **claims: Any) -> None:
        known = {"preferred_username": subject, "email": f"{subject}@example.org", "email_verified": True}
        self.tell("people", **{subject: {**known, "groups": list(groups), **claims}})

    def dismisses(self, subject: str) -> None:
        self.tell("people", **{subject: None})

    def forge(self, claims: dict[str, Any], **how: Any) -> str:
        return self.tell("forge", claims=claims, **how)["token"]

    def consent(self, url: str, who: str) -> str:
        """What the person's browser does there: from the provider's page to the address that it sends them back to."""
        with httpx.Client(trust_env=False, verify=NO_CERTIFICATES) as browser:
            for _ in range(10):
                if "/callback" in url:
                    return url
                url += ("&" if "?" in url else "?") + f"who={who}" if "/sign-in/" in url else ""
                answer = browser.get(url)
                assert answer.is_redirect, answer.text
                url = urljoin(url, answer.headers["location"])
        raise AssertionError(f"the provider led nowhere: {url}")


@contextmanager
def provider(back: str, **client: Any) -> Generator[Oidc]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = {"port": port, "back": back, "clients": [{"client_id": "handrail", **client}]}
    node = shutil.which("node")
    assert node is not None, "there is no node"
    process = subprocess.Popen([node, PROGRAM, json.dumps(options)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        while not (line := process.stdout.readline()).startswith("ready "):
            assert line, "the provider did not start"
        yield Oidc(line.split()[1])
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def sso_file(folder: Path, local: str = "everyone", **providers: Oidc) -> Path:
    """The operator's file for these providers."""
    lines = [f'local_sign_in = "{local}"']
    for name, each in providers.items():
        lines += [
            f"[providers.{name}]",
            f'title = "{name.title()}"',
            f'issuer = "{each.issuer}"',
            'client_id = "handrail"',
            f"[providers.{name}.roles]",
            *(f'"{group}" = {json.dumps(roles)}' for group, roles in TABLE.items()),
        ]
    file = folder / "sso.toml"
    file.write_text("\n".join(lines))
    return file


class Person:
    """A browser without a window: at Handrail over ASGI or a socket, at the provider over its own."""

    def __init__(self, handrail: httpx.AsyncClient, oidc: Oidc, provider: str = "corp") -> None:
        self.handrail = handrail
        self.oidc = oidc
        self.provider = provider

    async def departs(self, following: str = "/inbox") -> str:
        answer = await self.handrail.get(f"/api/sso/{self.provider}/start", params={"next": following})
        assert answer.status_code == 303, answer.text
        return answer.headers["location"]

    async def returns(self, back: str) -> httpx.Response:
        """To the address that the provider sends them to, whatever host it names."""
        parts = httpx.URL(back)
        return await self.handrail.get(parts.raw_path.decode())

    async def signs_in(self, who: str, following: str = "/inbox") -> httpx.Response:
        return await self.returns(self.oidc.consent(await self.departs(following), who))

    async def me(self) -> httpx.Response:
        return await self.handrail.get("/api/me")


def problem(answer: httpx.Response) -> str | None:
    """The code with which a sign-in was refused; nothing where it was not."""
    assert answer.status_code == 303, answer.text
    url = httpx.URL(answer.headers["location"])
    return url.params.get("problem") if url.path == "/sign-in" else None

"""A passkey in a real browser, with its virtual authenticator: add it, approve with it, sign in with it."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest
import server as servers
from browser import REFUSALS, link_for
from playwright.sync_api import Browser, Page, expect
from server import ServerProcess

from handrail.policy import default_policy

DELETION: dict[str, Any] = {
    "kind": "approval",
    "title": "Delete database orders-prod",
    "action": {"name": "delete_database", "args": {}, "target": "orders-prod"},
    "task": {"operation": "delete", "environment": "production"},
}
VIRTUAL = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def signing() -> Generator[ServerProcess]:
    """A server whose policy asks for a passkey for what is critical."""
    files = dict(default_policy().source)
    rules = "risk-assessment-rules.yaml"
    files[rules] = files[rules].replace("own_credential: true", "own_credential: true\n    require_passkey: true")
    with servers.running() as server:
        with server.client() as http:
            http.post("/api/policy", json={"files": files, "reason": "passkeys"}).raise_for_status()
        yield server


def by_name(server: ServerProcess, url: str) -> str:
    """Passkeys belong to names."""
    return url.replace("127.0.0.1", "localhost").replace(server.url, server.url.replace("127.0.0.1", "localhost"))


def window(browser: Browser) -> Page:
    context = browser.new_context()
    context.add_init_script(REFUSALS)
    page = context.new_page()
    tools: Any = context.new_cdp_session(page)
    tools.send("WebAuthn.enable")
    tools.send("WebAuthn.addVirtualAuthenticator", {"options": VIRTUAL})
    return page


def test_a_critical_approval_is_signed_by_a_passkey_that_also_signs_its_owner_in(
    browser: Browser, signing: ServerProcess
) -> None:
    page = window(browser)
    page.goto(by_name(signing, link_for(signing, "Mara", "tech_lead")))
    page.wait_for_url("**/inbox")
    home = by_name(signing, signing.url)
    page.goto(f"{home}/account")
    page.get_by_label("Name of the authenticator").fill("Laptop")
    page.get_by_role("button", name="Add passkey").click()
    expect(page.get_by_role("list", name="Passkeys")).to_contain_text("Laptop")

    with signing.client(signing.token_of("agent", kind="agent")) as agent:
        hold = agent.post("/api/holds", json=DELETION).raise_for_status().json()
    page.goto(f"{home}/holds/{hold['id']}")
    page.get_by_role("button", name="Approve").first.click()
    page.get_by_label("Justification").fill("It was backed up.")
    page.get_by_label("Justification").press("Enter")
    page.get_by_label("Type orders-prod to approve").fill("orders-prod")
    page.get_by_role("dialog").get_by_role("button", name="Approve").click()
    with signing.client() as http:
        reviews = servers.until(lambda: http.get(f"/api/holds/{hold['id']}").json()["reviews"])
    assert [(review["by"]["name"], review["signed"]) for review in reviews] == [("Mara", True)]

    page.context.clear_cookies()
    page.goto(f"{home}/sign-in")
    page.get_by_role("button", name="Use a passkey").click()
    page.wait_for_url("**/inbox")
    expect(page.get_by_role("button", name="Mara: account")).to_be_visible()
    page.context.close()

"""Web push in a real browser: switched on by a click, encrypted by the server, shown by the service worker, replaced
once it is decided, and gone with its person.

No push service can be reached from a test, so one on loopback speaks its protocol and decrypts what came; what it read
is handed to the browser's service worker as the browser itself would.
"""

from __future__ import annotations

import json
from collections.abc import Generator
from typing import Any

import pytest
import server as servers
from browser import Visitor, arriving, link_for
from channel_fakes import ORIGIN
from loopback import in_a_thread
from playwright.sync_api import Browser, expect
from push_fake import DeviceFake, PushFake
from server import ServerProcess

from handrail.policy import default_policy
from handrail.policy.loading import APPROVALS

DEPLOYMENT: dict[str, Any] = {
    "kind": "approval",
    "title": "Deploy billing 1.2",
    "action": {"name": "deploy", "args": {"password": "hunter2"}, "target": "staging"},
}
# the browser's own subscription needs its maker's push service: this one leads to ours
SUBSCRIBED = """
(() => {
  const given = %s;
  const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  const key = "test.subscribed";
  const made = {
    endpoint: given.endpoint,
    getKey: (name) => bytes(given[name]).buffer,
    unsubscribe: async () => { localStorage.removeItem(key); return true; },
  };
  PushManager.prototype.getSubscription = async () => (localStorage.getItem(key) ? made : null);
  PushManager.prototype.subscribe = async (options) => {
    const usable = options.userVisibleOnly && options.applicationServerKey.length === 65;
    if (!usable) throw new Error("a real one would refuse");
    localStorage.setItem(key, "1");
    return made;
  };
})();
"""
STATE = "navigator.serviceWorker.ready.then(({ active }) => active.state)"
SHOWN = """
async () => {
  const shown = await (await navigator.serviceWorker.ready).getNotifications();
  return shown.map(({ title, body, tag, silent, data }) => ({ title, body, tag, silent, ...data }));
}
"""


@pytest.fixture(scope="module")
def service() -> Generator[PushFake]:
    made = PushFake()
    with in_a_thread(made):
        yield made


@pytest.fixture(scope="module")
def notifying() -> Generator[ServerProcess]:
    files = dict(default_policy().source)
    files[APPROVALS] = files[APPROVALS].replace("[slack, email, webhook]", "[push, web]")
    extra = {"HANDRAIL_PUSH_HOSTS": "127.0.0.1", "HANDRAIL_EMAIL_FROM": "handrail@example.org"}
    with servers.running(HANDRAIL_PUBLIC_URL=ORIGIN, **extra) as server:
        with server.client() as http:
            http.post("/api/policy", json={"files": files}).raise_for_status()
        yield server


def deliver(window: Visitor, device: DeviceFake) -> None:
    """Hands the newest message to the service worker."""
    tools: Any = window.context.new_cdp_session(window.page)
    found: list[str] = []

    def known(event: dict[str, Any]) -> None:
        found.extend(one["registrationId"] for one in event["registrations"])

    def registrations() -> list[str]:
        """Those that there are by now: they are named once, when the tools are switched on."""
        tools.send("ServiceWorker.disable")
        tools.send("ServiceWorker.enable")
        return found

    tools.on("ServiceWorker.workerRegistrationUpdated", known)
    # a page that was on its way while the worker began has no controller, and is told all the same
    servers.until(lambda: window.page.evaluate(STATE) == "activated" and registrations())
    newest = list(device.shown.values())[-1]
    message = {"origin": window.server.url, "registrationId": found[-1], "data": json.dumps(newest)}
    tools.send("ServiceWorker.deliverPushMessage", message)
    tools.detach()


def notifications(window: Visitor) -> list[dict[str, Any]]:
    return window.page.evaluate(SHOWN)


def test_a_device_that_is_switched_on_is_told_and_told_of_the_decision(
    whole_browser: Browser, notifying: ServerProcess, service: PushFake
) -> None:
    device = service.device()
    link = link_for(notifying, "Mara", "team_lead")
    window = arriving(whole_browser, notifying, "Mara", link, permissions=["notifications"], service_workers="allow")
    window.context.add_init_script(SUBSCRIBED % json.dumps(device.subscription))
    page = window.go("/account")
    page.get_by_role("button", name="Switch on for this device").click()
    expect(page.get_by_role("list", name="Devices")).to_contain_text("This browser")

    with notifying.client(notifying.token_of("agent", kind="agent")) as agent:
        hold = agent.post("/api/holds", json=DEPLOYMENT).raise_for_status().json()
    servers.until(lambda: hold["id"] in device.shown)
    deliver(window, device)
    [asked] = servers.until(lambda: notifications(window))
    assert asked["title"] == f"Decision needed (medium): Deploy billing 1.2 ({hold['short_id']})"
    assert asked["body"].startswith("deploy on staging\nagent asks. Needs ")
    assert (asked["tag"], asked["path"], asked["silent"]) == (hold["id"], f"/holds/{hold['id']}", False)
    assert "hunter2" not in json.dumps(asked)

    with notifying.client(notifying.token_of("Jon", "team_lead")) as jon:
        body = {"verdict": "approve", "digest": hold["digest"]}
        jon.post(f"/api/holds/{hold['id']}/reviews", json=body).raise_for_status()
    servers.until(lambda: not device.shown[hold["id"]]["asks"])
    deliver(window, device)
    [closed] = servers.until(lambda: [one for one in notifications(window) if not one["asks"]])
    assert closed["title"].startswith("Approved by Jon: Deploy billing 1.2")
    assert closed["silent"] is True
    assert len(notifications(window)) == 1

    page.get_by_role("button", name="Mara: account").click()
    page.get_by_role("menuitem", name="Sign out", exact=True).click()
    page.wait_for_url("**/sign-in")
    with notifying.client() as http:
        token = http.post("/api/tokens", json={"principal": "Mara"}).raise_for_status().json()["token"]
    with notifying.client(token) as mara:
        assert mara.get("/api/me/push").raise_for_status().json()["devices"] == []
    window.close()

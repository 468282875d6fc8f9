"""Notifications on the pages: one's own channels and links, a test of each, deliveries, and previews of messages."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

import pytest
import server as servers
from browser import Visitor, link_for
from loopback import Answer, Loopback, in_a_thread
from playwright.sync_api import Browser, expect
from server import ServerProcess, until

from handrail.policy import default_policy
from handrail.policy.loading import APPROVALS

SECRET = "whsec_" + "c2VjcmV0IG9mIHRoZSB0ZXN0cyBzZWNyZXQ="
DEPLOYMENT: dict[str, Any] = {
    "kind": "approval",
    "title": "Deploy <b>billing</b> 1.2",
    "description": "![x](https://evil.example/p.png)",
    "action": {"name": "deploy", "args": {"password": "hunter2", "version": "1.2"}, "target": "staging"},
}
GONE, TAKEN = Answer(410), Answer(204)
UNKNOWN = 401


class Receiver(Loopback):
    """Of webhooks; gone until it is told otherwise."""

    answer = GONE

    async def reply(self, request: Any) -> Answer:
        return self.answer


@pytest.fixture(scope="module")
def receiver() -> Generator[Receiver]:
    made = Receiver()
    with in_a_thread(made):
        yield made


@pytest.fixture(scope="module")
def place(receiver: Receiver) -> Generator[ServerProcess]:
    settings = {
        "HANDRAIL_WEBHOOK_URL": receiver.url,
        "HANDRAIL_WEBHOOK_SECRET": SECRET,
        "HANDRAIL_SMTP_URL": "smtp://127.0.0.1:1",
        "HANDRAIL_EMAIL_FROM": "handrail@example.org",
        "HANDRAIL_PUBLIC_URL": "http://127.0.0.1:8400",
    }
    with servers.running(**settings) as server:
        link_for(server, "Ada", "administrator", "tech_lead")
        link_for(server, "Jon", "team_lead")
        files = dict(default_policy().source)
        files[APPROVALS] = files[APPROVALS].replace("channels: [slack, email, webhook]", "channels: [webhook]")
        with server.client() as http:
            http.post("/api/policy", json={"files": files}).raise_for_status()
        yield server


@pytest.fixture(scope="module")
def hold(place: ServerProcess) -> dict[str, Any]:
    with place.client(place.token_of("bot", kind="agent")) as http:
        return http.post("/api/holds", json=DEPLOYMENT).raise_for_status().json()


def test_a_person_chooses_channels_and_quiet_hours(enter: Callable[..., Visitor], place: ServerProcess) -> None:
    jon = enter("Jon")
    jon.page.goto(f"{place.url}/account")
    panel = jon.page.get_by_role("region", name="Notifications", exact=True)
    panel.get_by_label("These first, in this order").check()
    panel.get_by_role("checkbox", name="Push").check()
    panel.get_by_role("checkbox", name="Email").check()
    panel.get_by_role("button", name="Try Email earlier").click()
    panel.get_by_label("Quiet hours").check()
    panel.get_by_label("Time zone").fill("Europe/Berlin")
    panel.get_by_role("button", name="Save").click()
    expect(panel.get_by_text("Saved.")).to_be_visible()
    jon.page.reload()
    expect(panel.get_by_label("Time zone")).to_have_value("Europe/Berlin")
    expect(panel.get_by_role("listitem").first).to_contain_text("Email")
    # he has neither an address nor a device
    expect(panel).to_contain_text("does not reach you yet")


def test_a_program_is_linked_and_unlinked(enter: Callable[..., Visitor], place: ServerProcess) -> None:
    jon = enter("Jon")
    jon.page.goto(f"{place.url}/account")
    panel = jon.page.get_by_role("region", name="Linked accounts")
    panel.get_by_role("button", name="Link a program…").click()
    expect(panel).to_contain_text("whsec_")
    panel.get_by_role("button", name="Done").click()
    expect(panel.get_by_role("list")).to_contain_text("A program of yours")
    expect(panel).not_to_contain_text("whsec_")
    panel.get_by_role("button", name="Unlink: Webhook").click()
    panel.get_by_role("button", name="Confirm unlink: Webhook").click()
    expect(panel.get_by_role("button", name="Link a program…")).to_be_visible()


def test_what_was_not_delivered_is_listed_and_tried_again(
    enter: Callable[..., Visitor], place: ServerProcess, receiver: Receiver, hold: dict[str, Any]
) -> None:
    ada = enter("Ada")
    with place.client() as http:
        until(lambda: http.get("/api/deliveries").json()["deliveries"])
    ada.page.goto(f"{place.url}/inbox")
    ada.page.get_by_role("button", name="Ada: account, theme, sign out").click()
    ada.page.get_by_role("menuitem", name="Notifications", exact=True).click()
    ada.page.get_by_role("button", name="Send a test by Webhook").click()
    expect(ada.page.get_by_text("the receiver answered 410")).to_have_count(2)
    receiver.answer = TAKEN
    ada.page.get_by_role("button", name="Send a test by Webhook").click()
    expect(ada.page.get_by_text("Delivered.")).to_be_visible()
    ada.page.get_by_role("button", name="Try again").click()
    expect(ada.page.get_by_text("No message has failed to arrive.")).to_be_visible()
    with place.client() as http:
        until(lambda: http.get("/api/deliveries", params={"status": "delivered"}).json()["deliveries"])
    ada.page.get_by_label("Which deliveries").select_option("delivered")
    expect(ada.page.get_by_role("list", name="Deliveries")).to_contain_text("by Webhook")


def test_messages_are_drawn_and_nothing_in_them_is_markup(
    enter: Callable[..., Visitor], place: ServerProcess, hold: dict[str, Any]
) -> None:
    ada = enter("Ada")
    ada.page.goto(f"{place.url}/notifications/preview?hold={hold['short_id']}")
    slack = ada.page.locator("[data-preview=slack]")
    expect(slack).to_contain_text("Decision needed: Deploy <b>billing</b> 1.2")
    expect(slack).to_contain_text("If approved, bot runs deploy on staging with:")
    linear = ada.page.locator("[data-preview=linear]")
    expect(linear).to_contain_text("Deploy <b>billing</b> 1.2")
    expect(linear).to_contain_text("![x](https://evil.example/p.png)")
    expect(linear.locator("img")).to_have_count(0)
    mail = ada.page.frame_locator("iframe[title='The mail']")
    expect(mail.get_by_role("heading")).to_contain_text("Deploy <b>billing</b> 1.2")
    expect(ada.page.locator("[data-preview=push]")).to_contain_text("deploy on staging")
    expect(ada.page.locator("main")).not_to_contain_text("hunter2")


def test_a_scanner_that_opens_the_link_of_a_mail_and_submits_every_form_uses_up_nothing(
    browser: Browser, place: ServerProcess, hold: dict[str, Any]
) -> None:
    code = link_for(place, "Jon", "team_lead").partition("#code=")[2]
    link = f"{place.url}/sign-in#code={code}&by=mail&next=/holds/{hold['id']}"
    submit = "document.querySelectorAll('form').forEach((form) => form.requestSubmit())"
    for _ in range(2):
        scanner = browser.new_page()
        scanner.goto(link)
        expect(scanner.get_by_role("button", name="Continue")).to_be_visible()
        scanner.evaluate(submit)
        assert scanner.evaluate("fetch('/api/me').then((answer) => answer.status)") == UNKNOWN
        scanner.close()
    jon = browser.new_page()
    jon.goto(link)
    jon.get_by_role("button", name="Continue").click()
    expect(jon.get_by_role("heading", name="deploy", exact=False).first).to_be_visible()
    with place.client() as http:
        assert http.get(f"/api/holds/{hold['id']}").json()["status"] == "pending"
    jon.close()

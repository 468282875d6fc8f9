"""The page *People*: an administrator gives people roles that the policy has, and no others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from browser import Visitor, barriers
from playwright.sync_api import expect
from stage import Company

from handrail.core.people import DEFAULT_ROLES

Enter = Callable[..., Visitor]
LABELS = "boxes => boxes.map((box) => box.labels[0].textContent.trim())"


def known(company: Company, name: str) -> dict[str, Any]:
    with company.server.client() as http:
        people = http.get("/api/people?limit=500").raise_for_status().json()["people"]
    return next(one for one in people if one["name"] == name)


def test_roles_are_picked_from_those_of_the_policy(company: Company, enter: Enter) -> None:
    name = f"Rosa {uuid4().hex[:6]}"
    page = enter("Ada", path="/people").page
    page.get_by_role("button", name="Add…").click()
    page.get_by_label("Name").fill(name)
    picker = page.get_by_role("group", name="Roles")
    expect(picker.get_by_role("checkbox")).to_have_count(len(DEFAULT_ROLES))
    offered = [text.lower().replace(" ", "_") for text in picker.get_by_role("checkbox").evaluate_all(LABELS)]
    assert sorted(offered) == sorted(DEFAULT_ROLES)
    assert barriers(page) == []
    picker.get_by_label("team lead").check()
    picker.get_by_label("developer").check()
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("listitem").filter(has_text=name)).to_contain_text("developer, team lead")
    assert sorted(known(company, name)["roles"]) == ["developer", "team_lead"]

    # by keyboard, from the picker with what the person has already
    page.get_by_role("button", name=f"Change {name}").click()
    expect(picker.get_by_role("checkbox", checked=True)).to_have_count(2)
    picker.get_by_label("team lead").press("Space")
    picker.get_by_label("auditor").press("Space")
    page.get_by_role("button", name="Save roles").press("Enter")
    expect(page.get_by_text(f"{name} now has these roles.")).to_be_visible()
    assert sorted(known(company, name)["roles"]) == ["auditor", "developer"]


def test_only_people_are_offered_roles(enter: Enter) -> None:
    page = enter("Ada", viewport={"width": 360, "height": 740}, path="/people").page
    page.get_by_role("button", name="Add…").click()
    expect(page.get_by_role("group", name="Roles")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.keyboard.press("Escape")
    # on a phone every role can be read
    shown = page.get_by_role("listitem").filter(has_text="Ada").get_by_text("administrator, tech lead")
    assert shown.evaluate("element => element.scrollWidth <= element.clientWidth")
    page.get_by_role("button", name="Add…").click()
    page.get_by_label("Kind").select_option("agent")
    expect(page.get_by_role("group", name="Roles")).to_have_count(0)


def test_an_agent_is_observed_and_enforced_with_a_reason(company: Company, enter: Enter) -> None:
    with company.server.client() as http:
        name = f"bot {uuid4().hex[:6]}"
        http.post("/api/people", json={"name": name, "kind": "agent"}).raise_for_status()
        token = http.post("/api/tokens", json={"principal": name}).raise_for_status().json()["token"]
    page = enter("Ada", viewport={"width": 360, "height": 740}, path="/people").page
    page.get_by_role("button", name=f"Change {name}").click()
    expect(page.get_by_role("button", name="Only observe")).to_be_disabled()
    page.get_by_label("Reason").fill("a trial until Friday")
    page.get_by_role("button", name="Only observe").press("Enter")
    expect(page.get_by_text("Nothing went through that people would have been asked about.")).to_be_visible()
    action = {"name": "shell.run", "args": {"command": "rm -rf /srv"}}
    with company.server.client(token) as agent:
        asked = {"kind": "approval", "title": "Clear it", "action": action}
        hold = agent.post("/api/holds", json=asked).raise_for_status().json()
    page.reload()
    expect(page.get_by_role("listitem").filter(has_text="only observed")).to_contain_text(name)
    page.get_by_role("button", name=f"Change {name}").click()
    passed = page.get_by_role("list", name="What went through")
    expect(passed).to_contain_text("1×shell.run")
    expect(passed.get_by_role("link", name=hold["short_id"])).to_be_visible()
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_label("Reason").fill("rules agreed")
    page.get_by_role("button", name="Enforce the policy").press("Enter")
    expect(page.get_by_text(f"The policy is enforced for {name}.")).to_be_visible()
    page.goto(page.url.replace("/people", f"/holds/{hold['id']}"))
    expect(page.get_by_role("region", name="Decision")).to_contain_text("Approved unasked (only observed)")

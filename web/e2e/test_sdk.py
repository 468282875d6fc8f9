"""The TypeScript SDK in a real browser, as it is published, on a page of Handrail's own address."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

from playwright.sync_api import Browser, Route
from server import ServerProcess, until

DIST = Path(__file__).parents[2] / "sdk" / "typescript" / "dist"
GATED = """
async ([token, title]) => {
  const { Handrail, gate, NotAllowed } = await import("/sdk/index.js");
  const client = new Handrail({ url: location.origin, token });
  const ran = [];
  const deploy = gate(({ version }) => ran.push(version), { name: "deploy", title, client });
  window.done = deploy({ version: "1.0" }).then(() => ran, (error) => [error.name, error.reason]);
  const aborted = new AbortController();
  const other = gate(() => ran.push("aborted"), { name: "deploy", title: `${title} aborted`, client });
  const waits = other({}, { signal: aborted.signal }).catch((error) => error.name);
  let opened = 0;
  for await (const event of client.events({ after: 0 })) if (event.type === "hold.opened" && ++opened === 2) break;
  aborted.abort();
  const away = new Handrail({ url: "http://localhost:1", token, retryFor: 0 });
  return [opened, await waits, await away.get("H-1").catch((error) => error.name)];
}
"""


def test_a_gate_waits_runs_as_amended_and_can_be_aborted(browser: Browser, place: ServerProcess) -> None:
    token, title = place.token_of(f"page-{uuid4().hex[:8]}", kind="agent"), f"From a page {uuid4().hex[:8]}"

    def module(route: Route) -> None:
        file = DIST / route.request.url.rpartition("/")[2]
        route.fulfill(path=file, content_type="text/javascript")

    page = browser.new_page()
    try:
        page.route("**/sdk/*.js", module)
        page.goto(place.url)
        said = page.evaluate(GATED, [token, title])
        assert said == [2, "AbortError", "Unavailable"]
        with place.client() as http:
            [hold] = until(
                lambda: [
                    each
                    for each in http.get("/api/holds", params={"text": title}).json()["holds"]
                    if each["title"] == title
                ]
            )
            changed = {**hold["action"], "args": {"version": "0.9"}}
            amended = {"verdict": "amend", "digest": hold["digest"], "amended_action": changed}
            hold = http.post(f"/api/holds/{hold['id']}/reviews", json=amended).raise_for_status().json()
            yes = {"verdict": "approve", "digest": hold["digest"]}
            http.post(f"/api/holds/{hold['id']}/reviews", json=yes).raise_for_status()
            assert page.evaluate("window.done") == ["0.9"]
            result = until(lambda: http.get(f"/api/holds/{hold['id']}").json()["result"])
            assert result["outcome"] == "succeeded"
    finally:
        page.close()

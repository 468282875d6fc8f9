"""A real Prometheus loads the alert rules, scrapes a real server, and understands every query of the dashboard."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
import server as servers
import yaml
from server import until

from deploy.tests import debian
from deploy.tests.places import ROOT

FOLDER = ROOT / "deploy" / "monitoring"
DASHBOARD: dict[str, Any] = json.loads((FOLDER / "dashboard.json").read_text())
CONFIGURATION = """
global: {{scrape_interval: 1s, evaluation_interval: 1s}}
rule_files: [{rules}]
scrape_configs:
  - job_name: handrail
    authorization: {{credentials: {token}}}
    static_configs: [{{targets: ["{target}"]}}]
"""


@pytest.fixture(scope="module")
def prometheus(tmp_path_factory: pytest.TempPathFactory) -> Generator[httpx.Client]:
    folder = tmp_path_factory.mktemp("prometheus")
    with servers.running() as server:
        token = server.token_of("prometheus", kind="service")
        target = server.url.removeprefix("http://")
        configuration = folder / "prometheus.yml"
        configuration.write_text(CONFIGURATION.format(rules=FOLDER / "alerts.yml", token=token, target=target))
        log = folder / "log"
        with log.open("w") as output:
            process = subprocess.Popen(
                [
                    debian.program("prometheus", "prometheus"),
                    f"--config.file={configuration}",
                    f"--storage.tsdb.path={folder / 'data'}",
                    "--web.listen-address=127.0.0.1:0",
                ],
                stdout=output,
                stderr=output,
            )
        try:
            url = until(lambda: _url(process.pid))
            with httpx.Client(base_url=url, trust_env=False) as http:
                until(lambda: _ready(http))
                yield http
        finally:
            process.terminate()
            process.wait(30)


def _url(pid: int) -> str | None:
    """Where it listens: it was given any free port and does not say which."""
    found = [one.laddr for one in psutil.Process(pid).net_connections("tcp") if one.status == "LISTEN"]
    return f"http://127.0.0.1:{found[0][1]}" if found else None


def _ready(http: httpx.Client) -> bool:
    try:
        return http.get("/-/ready").status_code == 200
    except httpx.TransportError:
        time.sleep(0.05)
        return False


def test_the_rules_are_loaded_and_evaluate(prometheus: httpx.Client) -> None:
    def healthy() -> list[dict[str, Any]] | None:
        groups = prometheus.get("/api/v1/rules").json()["data"]["groups"]
        rules = [rule for group in groups for rule in group["rules"]]
        return rules if all(rule["health"] != "unknown" for rule in rules) else None

    rules = until(healthy)
    assert {rule["name"]: rule.get("lastError") for rule in rules if rule["health"] != "ok"} == {}
    written = yaml.safe_load((FOLDER / "alerts.yml").read_text())["groups"][0]["rules"]
    assert {rule["name"] for rule in rules} == {rule["alert"] for rule in written}


def test_the_server_is_scraped(prometheus: httpx.Client) -> None:
    def up() -> bool:
        targets = prometheus.get("/api/v1/targets").json()["data"]["activeTargets"]
        return [target["health"] for target in targets] == ["up"]

    assert until(up)


@pytest.mark.parametrize("panel", DASHBOARD["panels"], ids=lambda panel: panel["title"])
def test_a_panel_asks_what_prometheus_understands(prometheus: httpx.Client, panel: dict[str, Any]) -> None:
    for target in panel["targets"]:
        query = target["expr"].replace("$__rate_interval", "1m").replace("$__range", "1h")
        answer = prometheus.get("/api/v1/query", params={"query": query})
        assert answer.status_code == 200, answer.text


def test_promtool_finds_nothing_wrong(tmp_path: Path) -> None:
    promtool = debian.program("promtool", "prometheus")
    subprocess.run([promtool, "check", "rules", "--lint-fatal", FOLDER / "alerts.yml"], check=True, capture_output=True)
    rules = tmp_path / "tests.yml"
    rules.write_text(UNIT.format(rules=FOLDER / "alerts.yml"))
    ran = subprocess.run([promtool, "test", "rules", rules], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


# when the most important ones fire, and when they do not
UNIT = """
rule_files: [{rules}]
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series:
      - {{series: 'up{{job="handrail", instance="a"}}', values: "1 1 0 0 0 0"}}
      - {{series: 'handrail_runs{{state="waiting"}}', values: "0 3 3 3 3 3 3 3"}}
      - {{series: 'handrail_feed_lag_seconds', values: "0 0 0 0"}}
    alert_rule_test:
      - {{eval_time: 1m, alertname: HandrailDown}}
      - eval_time: 5m
        alertname: HandrailDown
        exp_alerts:
          - exp_labels: {{severity: critical, instance: a, job: handrail}}
            exp_annotations:
              summary: a does not answer
              description: Agents wait, and nobody can decide here. Holds keep their deadlines; none expires unseen.
              runbook: docs/runbooks.md#handraildown
      - {{eval_time: 5m, alertname: HandrailRunsWait}}
      - eval_time: 7m
        alertname: HandrailRunsWait
        exp_alerts:
          - exp_labels: {{severity: critical}}
            exp_annotations:
              summary: 3 runs have no worker
              description: No worker is running, or all are busy. `handrail doctor` says which.
              runbook: docs/runbooks.md#handrailrunswait
      - {{eval_time: 3m, alertname: HandrailFeedLags}}
"""

"""A real Prometheus loads the alert rules, scrapes a real server, and understands every query of the dashboard."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any, cast

import httpx
import psutil
import pytest
import server as servers
import yaml
from server import until

from deploy.tests import debian
from deploy.tests.places import ROOT, TOOLS

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


def test_the_dashboard_is_one_by_grafanas_own_models(tmp_path: Path) -> None:
    """Its official library reads it, and writes all of it again: a field that Grafana does not know would be lost."""
    script = tmp_path / "read.py"
    script.write_text(READING)
    words = [TOOLS / "ship" / "bin" / "python", script, FOLDER / "dashboard.json"]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert list(_lost(DASHBOARD, json.loads(ran.stdout))) == []
    assert list(_lost({"panels": [{"title": "x"}]}, {"panels": [{}]})) == [".panels[0].title"]


READING = """
import json, sys
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.cog.plugins import register_default_plugins
from grafana_foundation_sdk.models.dashboard import Dashboard

register_default_plugins()
print(JSONEncoder().encode(Dashboard.from_json(json.load(open(sys.argv[1])))))
"""


def _lost(written: Any, read: Any, at: str = "") -> Generator[str]:
    match written:
        case dict():
            for name, value in cast("dict[str, Any]", written).items():
                yield from _lost(value, read[name], f"{at}.{name}") if name in read else [f"{at}.{name}"]
        case list():
            for number, value in enumerate(cast("list[Any]", written)):
                yield from _lost(value, read[number], f"{at}[{number}]")
        case _:
            yield from [] if written == read else [at]


def test_promtool_finds_nothing_wrong() -> None:
    promtool = debian.program("promtool", "prometheus")
    subprocess.run([promtool, "check", "rules", "--lint-fatal", FOLDER / "alerts.yml"], check=True, capture_output=True)


# what each alert is about, one value a minute; the last minute at which it is quiet, and one at which it fires
CASES: dict[str, tuple[dict[str, str], int, int]] = {
    "HandrailDown": ({'up{job="handrail"}': "1 1 0x9"}, 3, 5),
    "HandrailHighRiskWaits": ({'handrail_holds_pending{risk="high"}': "0 1x60"}, 30, 31),
    "HandrailBacklog": (
        {'handrail_holds_pending{risk="low"}': "60x30", 'handrail_holds_pending{risk="high"}': "50x30"},
        14,
        15,
    ),
    "HandrailHoldsTimeOut": ({'handrail_holds_decided_total{basis="expiry", risk="low"}': "0 0 1x9"}, 1, 3),
    "HandrailEscalations": ({'handrail_holds_escalated_total{risk="low"}': "0+1x20"}, 2, 10),
    "HandrailManyRejections": (
        {
            'handrail_holds_decided_total{outcome="rejected", basis="people"}': "0+2x20",
            'handrail_holds_decided_total{outcome="approved", basis="people"}': "0+1x20",
        },
        1,
        10,
    ),
    "HandrailDecisionTargetMissed": (
        {
            'handrail_time_to_decision_seconds_bucket{risk="low", le="60"}': "0x60",
            'handrail_time_to_decision_seconds_bucket{risk="low", le="1200"}': "0+1x60",
            'handrail_time_to_decision_seconds_bucket{risk="low", le="+Inf"}': "0+1x60",
            "handrail_time_to_decision_target_seconds": "300x60",
        },
        14,
        20,
    ),
    "HandrailSlowDecisions": (
        {
            'handrail_time_to_decision_seconds_bucket{risk="low", le="3600"}': "0x60",
            'handrail_time_to_decision_seconds_bucket{risk="low", le="28800"}': "0+1x60",
            'handrail_time_to_decision_seconds_bucket{risk="low", le="+Inf"}': "0+1x60",
        },
        29,
        35,
    ),
    "HandrailFeedLags": ({"handrail_feed_lag_seconds": "0 20x9"}, 1, 2),
    "HandrailNoticesDead": ({'handrail_deliveries{status="dead"}': "0 1x9"}, 0, 1),
    "HandrailNoticesWait": ({'handrail_deliveries{status="queued"}': "60x20"}, 9, 10),
    "HandrailRunsWait": ({'handrail_runs{state="waiting"}': "0 3x20"}, 5, 6),
    "HandrailErrors": (
        {'handrail_requests_total{status="500"}': "0+1x30", 'handrail_requests_total{status="200"}': "0+10x30"},
        5,
        10,
    ),
}
WELL = {
    'up{job="handrail"}': "1x120",
    'handrail_holds_pending{risk="high"}': "1x9 0x110",
    'handrail_holds_decided_total{outcome="approved", basis="people"}': "0+2x120",
    'handrail_holds_decided_total{outcome="rejected", basis="people"}': "0+1x120",
    'handrail_time_to_decision_seconds_bucket{risk="low", le="60"}': "0+1x120",
    'handrail_time_to_decision_seconds_bucket{risk="low", le="+Inf"}': "0+1x120",
    "handrail_time_to_decision_target_seconds": "300x120",
    "handrail_feed_lag_seconds": "0x120",
    'handrail_deliveries{status="dead"}': "0x120",
    'handrail_runs{state="waiting"}': "0 2 0 2x2 0x120",
    'handrail_requests_total{status="500"}': "0+1x120",
    'handrail_requests_total{status="200"}': "0+50x120",
}


def test_each_alert_fires_when_it_should_and_not_before(tmp_path: Path) -> None:
    written = yaml.safe_load((FOLDER / "alerts.yml").read_text())["groups"][0]["rules"]
    assert CASES.keys() == {rule["alert"] for rule in written}
    groups = [_group(WELL, {minute: set() for minute in range(0, 121, 10)})]
    groups += [_group(series, {quiet: set(), fires: {alert}}) for alert, (series, quiet, fires) in CASES.items()]
    file = tmp_path / "tests.json"
    file.write_text(json.dumps({"rule_files": [str(FOLDER / "alerts.yml")], "tests": groups}))
    promtool = debian.program("promtool", "prometheus")
    ran = subprocess.run([promtool, "test", "rules", file], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def _group(series: dict[str, str], firing: dict[int, set[str]]) -> dict[str, Any]:
    """Those that fire at each of these minutes, of all alerts."""
    return {
        "interval": "1m",
        "input_series": [{"series": name, "values": values} for name, values in series.items()],
        "promql_expr_test": [
            {
                "expr": 'group by (alertname) (ALERTS{alertstate="firing"})',
                "eval_time": f"{minute}m",
                "exp_samples": [{"labels": f'{{alertname="{name}"}}', "value": 1} for name in sorted(names)],
            }
            for minute, names in firing.items()
        ],
    }

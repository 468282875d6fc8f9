"""The alert rules and the dashboard speak of metrics, labels and values that a server really has."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import apps
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

FOLDER = Path(__file__).parents[3] / "deploy" / "monitoring"
RULES: list[dict[str, Any]] = [
    rule for group in yaml.safe_load((FOLDER / "alerts.yml").read_text())["groups"] for rule in group["rules"]
]
DASHBOARD: dict[str, Any] = json.loads((FOLDER / "dashboard.json").read_text())
TARGETS: list[dict[str, Any]] = [target for panel in DASHBOARD["panels"] for target in panel["targets"]]
EXPRESSIONS = [entry["expr"] for entry in (*RULES, *TARGETS)]

SELECTOR = re.compile(r"\b(handrail_\w+)(?:\{([^}]*)\})?")
MATCHER = re.compile(r'(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"')
# labels that Prometheus adds
ITS_OWN = {"instance", "job"}
# a label's values that only a fault makes
RARE = {("status", "5..")}


def selectors() -> Iterator[tuple[str, list[tuple[str, str, str]]]]:
    for expression in EXPRESSIONS:
        for name, matchers in SELECTOR.findall(expression):
            yield name, MATCHER.findall(matchers)


async def samples(desk: apps.Desk) -> dict[str, list[dict[str, str]]]:
    """The labels of every sample, by name, of a server that has answered requests."""
    await desk.admin.get("/api/holds")
    await desk.admin.get(f"/api/holds/{uuid4()}/wait")
    text = (await desk.admin.get("/metrics")).raise_for_status().text
    found: dict[str, list[dict[str, str]]] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            found.setdefault(sample.name, []).append(sample.labels)
    return found


async def test_every_metric_that_they_name_is_there_with_its_labels_and_values(desk: apps.Desk) -> None:
    """S4.9."""
    there = await samples(desk)
    named = list(selectors())
    assert {name for name, _ in named} <= there.keys()
    for name, matchers in named:
        for label, how, value in matchers:
            values = {labels.get(label) for labels in there[name]} - {None}
            assert values, (name, label)
            fits = any(re.fullmatch(value, str(one)) if "~" in how else one == value for one in values)
            assert fits or (label, value) in RARE, (name, label, value)


async def test_what_is_grouped_by_are_labels_of_the_metric(desk: apps.Desk) -> None:
    there = await samples(desk)
    for expression in EXPRESSIONS:
        names = {name for name, _ in SELECTOR.findall(expression)}
        have = set[str]().union(*(labels for name in names for labels in there[name])) | ITS_OWN
        grouped = {label.strip() for by in re.findall(r"by \(([^)]*)\)", expression) for label in by.split(",")}
        assert grouped <= have, expression


def test_every_metric_of_holds_feed_and_notices_is_on_the_dashboard() -> None:
    shown = " ".join(target["expr"] for target in TARGETS)
    wanted = ["pending", "time_to_decision", "escalated", 'basis="expiry"', "outcome", "feed_lag", 'status="dead"']
    assert [name for name in wanted if name not in shown] == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["alert"])
def test_a_rule_is_whole(rule: dict[str, Any]) -> None:
    assert rule.keys() <= {"alert", "expr", "for", "labels", "annotations"}
    assert re.fullmatch(r"\d+[smhd]", rule.get("for", "0s"))
    assert rule["labels"]["severity"] in {"critical", "warning", "info"}
    assert rule["annotations"].keys() == {"summary", "description", "runbook"}
    assert rule["expr"].count("(") == rule["expr"].count(")")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["alert"])
def test_a_rule_has_a_runbook_with_what_to_look_at_and_what_to_do(rule: dict[str, Any]) -> None:
    page = (FOLDER.parents[1] / "docs" / "runbooks.md").read_text()
    assert rule["annotations"]["runbook"] == f"docs/runbooks.md#{rule['alert'].lower()}"
    section = page.partition(f"## {rule['alert']}\n")[2].partition("\n## ")[0]
    assert "**Look:**" in section
    assert "**Do:**" in section


def test_alerts_have_names_of_their_own() -> None:
    names = [rule["alert"] for rule in RULES]
    assert len(names) == len(set(names))


def test_the_dashboard_has_what_grafana_needs() -> None:
    assert {"uid", "title", "schemaVersion", "panels", "templating", "time"} <= DASHBOARD.keys()
    [source] = DASHBOARD["templating"]["list"]
    assert (source["type"], source["query"]) == ("datasource", "prometheus")
    ids = [panel["id"] for panel in DASHBOARD["panels"]]
    assert len(ids) == len(set(ids))
    taken = set[tuple[int, int]]()
    for panel in DASHBOARD["panels"]:
        assert panel["title"]
        assert panel["type"] in {"stat", "timeseries"}
        assert panel["datasource"]["uid"] == f"${{{source['name']}}}"
        assert len({target["refId"] for target in panel["targets"]}) == len(panel["targets"])
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= 24
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not taken & cells, panel["title"]
        taken |= cells

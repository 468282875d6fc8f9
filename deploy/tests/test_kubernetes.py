"""The Kubernetes resources render, are valid, and say what a careful operator expects of them."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from deploy.tests import debian
from deploy.tests.places import ROOT, TOOLS
from handrail.core.sealing import KEY_BYTES
from handrail.settings import PREFIX, Settings
from handrail.store.audit_files import KeyFile

FOLDER = ROOT / "deploy" / "kubernetes"
KINDS = ("base", "with-sandbox")
# the oldest that is still maintained, and the newest that is known
VERSIONS = ("1.34", "1.37")
WORKLOADS = ("Deployment", "Job")

Json = dict[str, Any]


@cache
def rendered(kind: str) -> str:
    kubectl = debian.program("kubectl", "kubernetes-client")
    ran = subprocess.run([kubectl, "kustomize", FOLDER / kind], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def resources(kind: str, *of: str) -> list[Json]:
    return [each for each in yaml.safe_load_all(rendered(kind)) if not of or each["kind"] in of]


def pods(kind: str) -> list[Json]:
    return [each["spec"]["template"]["spec"] for each in resources(kind, *WORKLOADS)]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_resource_is_valid(kind: str, version: str, tmp_path: Path) -> None:
    file = tmp_path / "rendered.yaml"
    file.write_text(rendered(kind))
    words = [TOOLS / "ship" / "bin" / "kubernetes-validate", "--strict", "--quiet", "-k", version, file]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout + ran.stderr) == (0, "")


def test_all_that_belongs_to_it_is_there() -> None:
    found = sorted({each["kind"] for each in resources("base")})
    wanted = ["ConfigMap", "Deployment", "HorizontalPodAutoscaler", "Ingress", "Job", "NetworkPolicy"]
    assert found == [*wanted, "PodDisruptionBudget", "Service", "ServiceAccount"]


@pytest.mark.parametrize("kind", KINDS)
def test_no_container_is_root_or_can_become_it_or_write_to_its_image(kind: str) -> None:
    assert len(pods(kind)) == 3
    for pod in pods(kind):
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["automountServiceAccountToken"] is False
        for container in (*pod["initContainers"], *pod["containers"]):
            closed = container["securityContext"]
            assert (closed["readOnlyRootFilesystem"], closed["allowPrivilegeEscalation"]) == (True, False)
            assert closed["capabilities"] == {"drop": ["ALL"]}
            assert container["resources"]["limits"]["memory"]


def test_system_calls_are_open_only_where_the_sandbox_is_wanted() -> None:
    assert {pod["securityContext"]["seccompProfile"]["type"] for pod in pods("base")} == {"RuntimeDefault"}
    wanted = {each["metadata"]["name"]: each for each in resources("with-sandbox", *WORKLOADS)}
    types = {
        name: each["spec"]["template"]["spec"]["securityContext"]["seccompProfile"] for name, each in wanted.items()
    }
    assert types == {
        "handrail-api": {"type": "Unconfined"},
        "handrail-worker": {"type": "Unconfined"},
        "handrail-migrate": {"type": "RuntimeDefault"},
    }


def test_secrets_are_referred_to_and_never_written() -> None:
    assert not resources("base", "Secret")
    for pod in pods("base"):
        [container] = pod["containers"]
        given = {each["name"]: each for each in container["env"]}
        assert given["HANDRAIL_DATABASE_URL"]["valueFrom"]["secretKeyRef"]["name"] == "handrail"
    assert "password" not in rendered("base")


def test_every_setting_is_one_that_there_is() -> None:
    known = {f"{PREFIX}{name}".upper() for name in Settings.model_fields}
    [configuration] = resources("base", "ConfigMap")
    names = set(configuration["data"])
    names |= {each["name"] for pod in pods("base") for container in pod["containers"] for each in container["env"]}
    assert names - known == set()


def test_the_settings_are_accepted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    [configuration] = resources("base", "ConfigMap")
    for name, value in configuration["data"].items():
        monkeypatch.setenv(name, value)
    assert Settings(host="0.0.0.0").public_url == "https://handrail.example.com"


def test_what_selects_finds_the_pods_that_it_means() -> None:
    labels = {
        each["metadata"]["name"]: each["spec"]["template"]["metadata"]["labels"]
        for each in resources("base", *WORKLOADS)
    }
    selectors = {
        "handrail-api": [each["spec"]["selector"] for each in resources("base", "Service")],
        "handrail-worker": [],
    }
    for budget in resources("base", "PodDisruptionBudget"):
        selectors[budget["metadata"]["name"]].append(budget["spec"]["selector"]["matchLabels"])
    for name, wanted in selectors.items():
        assert wanted
        for selector in wanted:
            assert {each for each, had in labels.items() if selector.items() <= had.items()} == {name}
    [scaler] = resources("base", "HorizontalPodAutoscaler")
    assert scaler["spec"]["scaleTargetRef"]["name"] in labels


def test_workers_scale_by_the_metric_that_the_document_tells_the_adapter_to_offer() -> None:
    """That the server has this metric, `tests/integration/api/test_monitoring.py` shows."""
    page = (ROOT / "docs" / "deployment.md").read_text()
    [rule] = yaml.safe_load(page.partition("```yaml\nexternalRules:")[2].partition("```")[0])
    [scaler] = resources("base", "HorizontalPodAutoscaler")
    [metric] = scaler["spec"]["metrics"]
    assert metric["external"]["metric"]["name"] == rule["name"]["as"]
    alerts = (ROOT / "deploy" / "monitoring" / "alerts.yml").read_text()
    assert rule["seriesQuery"] in rule["metricsQuery"]
    assert rule["seriesQuery"] in alerts


def test_a_database_that_is_away_restarts_no_pod() -> None:
    """Liveness asks the process alone; readiness asks for the database too, under a name that the server answers to."""
    [configuration] = resources("base", "ConfigMap")
    for each in resources("base", "Deployment"):
        [container] = each["spec"]["template"]["spec"]["containers"]
        assert "httpGet" not in container["livenessProbe"]
        asked = container["readinessProbe"]["httpGet"]
        assert asked["path"] == "/health"
        for header in asked.get("httpHeaders", []):
            assert header["value"] in configuration["data"]["HANDRAIL_ALLOWED_HOSTS"].split(",")


def test_keys_made_as_the_document_says_are_keys(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "deployment.md").read_text()
    commands = page.partition("```sh\n# the keys")[2].partition("```")[0].partition("\n")[2].partition("kubectl")[0]
    subprocess.run(["bash", "-euc", commands], cwd=tmp_path, check=True, capture_output=True)
    assert load_pem_private_key((tmp_path / "audit.pem").read_bytes(), None)
    keys = KeyFile(tmp_path / "audit.pem")
    assert keys.publics() == [keys.signer().public]
    assert len((tmp_path / "answers.key").read_bytes()) == KEY_BYTES

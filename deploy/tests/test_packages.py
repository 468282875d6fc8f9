"""A release is reproducible, says what is in it, and runs where there is nothing but Python."""

from __future__ import annotations

import filecmp
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Generator
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from zipfile import ZipFile

import pytest
import server as servers

from deploy.tests.places import ROOT, TOOLS

UV = TOOLS / "bin" / "uv"
# for the embedded PostgreSQL of root; for the sandbox
NEEDED = ("unshare", "bwrap")
VALIDATE = """
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
print(JsonStrictValidator(SchemaVersion.V1_6).validate_str(sys.stdin.read()) or "valid")
"""


def test_the_same_sources_elsewhere_give_the_same_bytes(release: Path, tmp_path: Path) -> None:
    """Another folder, with pages built there."""
    copy = tmp_path / "elsewhere"
    names = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    for name in names:
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, copy / name)
    shutil.copytree(ROOT / "web" / "node_modules", copy / "web" / "node_modules", symlinks=True, copy_function=os.link)
    subprocess.run(["npm", "run", "--silent", "build"], cwd=copy / "web", check=True)
    given = {**os.environ, "UV": str(UV), "PYTHON_OF_DIST": sys.executable}
    subprocess.run(["bash", copy / "scripts" / "dist.sh", tmp_path / "dist"], env=given, check=True)

    made = sorted(file.name for file in release.iterdir())
    assert made == sorted(file.name for file in (tmp_path / "dist").iterdir())
    assert filecmp.cmpfiles(release, tmp_path / "dist", made, shallow=False) == (made, [], [])


def test_the_checksums_are_those_of_all_other_files(release: Path) -> None:
    subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=release, check=True)
    named = {line.split()[1] for line in (release / "SHA256SUMS").read_text().splitlines()}
    assert named == {file.name for file in release.iterdir()} - {"SHA256SUMS"}


def test_the_sbom_is_valid(release: Path) -> None:
    [bom] = release.glob("*.cdx.json")
    ran = subprocess.run(
        [TOOLS / "ship" / "bin" / "python", "-c", VALIDATE],
        input=bom.read_text(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.strip() == "valid"


def test_the_npm_package_brings_nothing_with_it_and_is_in_the_sbom(release: Path, tmp_path: Path) -> None:
    [package] = release.glob("handrail-sdk-*.tgz")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    subprocess.run(["npm", "install", "--silent", "--offline", "--no-audit", package], cwd=tmp_path, check=True)
    names = {folder.name for folder in (tmp_path / "node_modules").iterdir() if not folder.name.startswith(".")}
    assert names == {"handrail-sdk"}
    files = {file.name for file in (tmp_path / "node_modules" / "handrail-sdk").iterdir()}
    assert files == {"LICENSE", "README.md", "dist", "package.json"}
    code = """
    const all = await Promise.all(["", "/ai", "/langgraph"].map((entry) => import(`handrail-sdk${entry}`)));
    console.log(all.map((entry) => ["gate", "gateTools", "answerInterrupts"].filter((name) => name in entry)).join());
    """
    ran = subprocess.run(
        ["node", "--input-type=module", "--eval", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert ran.stdout == "gate,gateTools,answerInterrupts\n"
    [bom] = release.glob("*.cdx.json")
    purls = {component["purl"] for component in json.loads(bom.read_text())["components"]}
    version = package.name.removeprefix("handrail-sdk-").removesuffix(".tgz")
    assert f"pkg:npm/handrail-sdk@{version}" in purls


def test_the_server_asks_for_the_sdk_of_the_same_release(release: Path) -> None:
    [server], [sdk] = release.glob("handrail-*.whl"), release.glob("handrail_sdk-*.whl")
    about, of_sdk = _metadata(server), _metadata(sdk)
    assert about["Version"] == of_sdk["Version"]
    asked = [each for each in about.get_all("Requires-Dist", []) if each.startswith(of_sdk["Name"])]
    assert asked == [f"{of_sdk['Name']}=={of_sdk['Version']}"]


def _metadata(wheel: Path) -> Message:
    with ZipFile(wheel) as files:
        [name] = [each for each in files.namelist() if each.endswith(".dist-info/METADATA")]
        return message_from_bytes(files.read(name))


def test_the_licence_report_has_every_component_of_the_sbom(release: Path) -> None:
    [bom], [report] = release.glob("*.cdx.json"), release.glob("*-licences.txt")
    components = {(each["name"], each["version"]) for each in json.loads(bom.read_text())["components"]}
    lines = [line.split(maxsplit=2) for line in report.read_text().splitlines()]
    listed = {(line[0], line[1]) for line in lines if len(line) == 3}
    assert len(components) > 100
    assert {name for name, _ in components - listed} == {"handrail-sdk"}


@pytest.fixture(scope="module")
def installed(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with Handrail and what it needs, compiled as pip does it."""
    venv = tmp_path_factory.mktemp("installed") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    install = [UV, "pip", "install", "--quiet", "--compile-bytecode", "--find-links", release, "handrail"]
    subprocess.run([*install, "--python", venv / "bin" / "python"], check=True)
    return venv


@pytest.fixture(scope="module")
def server(installed: Path) -> Generator[servers.ServerProcess]:
    """`handrail up` from the installation, on a path without node, npm, git or a shell."""
    for program in NEEDED:
        (installed / "bin" / program).symlink_to(shutil.which(program) or program)
    before, servers.HANDRAIL = servers.HANDRAIL, installed / "bin" / "handrail"
    try:
        with servers.beginning(HANDRAIL_CONCURRENCY="1", PATH=str(installed / "bin")) as running:
            yield running
    finally:
        servers.HANDRAIL = before


def test_it_weighs_less_than_250_mb_with_everything_compiled(installed: Path) -> None:
    weight = sum(file.stat().st_size for file in installed.rglob("*") if file.is_file() and not file.is_symlink())
    print(f"{weight / 1e6:.1f} MB")
    assert weight < 250_000_000, f"{weight / 1e6:.1f} MB"


def test_it_serves_the_pages_and_asks_people(server: servers.ServerProcess) -> None:
    with server.client() as http:
        page = http.get("/", headers={"Accept": "text/html"})
        assert page.status_code == 200
        assert '<div id="root">' in page.text
    demo = server.run("demo", "--quiet", token=server.admin_token)
    assert demo.exit == 0, demo.err
    assert len(demo.out.split()) == 3
    assert len(server.run("pending", "--quiet", token=server.admin_token).out.split()) == 3


def test_what_is_missing_says_what_to_install(server: servers.ServerProcess, tmp_path: Path) -> None:
    graph = server.run("graph", "build", str(tmp_path))
    assert (graph.exit, graph.err.count("pip install 'handrail[code]'")) == (1, 1)
    server.serves("demo-deploy")
    with server.client() as http:
        refused = http.post("/api/runs", json={"workflow": "demo-change", "input": {"request": "x", "repo_url": "y"}})
        assert (refused.status_code, refused.json()["code"]) == (409, "broken_workflow")
        assert "pip install 'handrail[code]'" in refused.json()["detail"]
        upload = http.post("/process-pdf", files={"file": ("a.html", b"<html><p>text</p></html>")})
        assert (upload.status_code, upload.json()["code"]) == (500, "misconfigured")
        assert "pip install 'handrail[documents]'" in upload.json()["detail"]

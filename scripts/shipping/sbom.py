"""Prints the SBOM of a release as CycloneDX 1.6. The same sources print the same bytes: no clock, no random number."""

from __future__ import annotations

import json
import sys
import tomllib
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from scripts.shipping.components import ROOT, Component, javascript, npm_package, python


def main() -> None:
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    packages, pages, sdk = python(), javascript(), npm_package()
    root = f"pkg:pypi/handrail@{project['version']}"
    purls = {each.name: each.purl for each in packages}
    direct = sorted({*purls.values(), *(each.purl for each in pages)} - {purls[n] for e in packages for n in e.needs})
    bom: dict[str, Any] = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": root,
                "name": "handrail",
                "version": project["version"],
                "purl": root,
                "licenses": [{"expression": project["license"]}],
            }
        },
        "components": [_component(each) for each in (*packages, *pages, sdk)],
        "dependencies": [
            {"ref": root, "dependsOn": direct},
            *({"ref": each.purl, "dependsOn": [purls[name] for name in each.needs]} for each in packages),
        ],
    }
    bom["serialNumber"] = uuid5(NAMESPACE_URL, json.dumps(bom, sort_keys=True)).urn
    sys.stdout.write(json.dumps(bom, indent=1, sort_keys=True) + "\n")


def _component(each: Component) -> dict[str, Any]:
    found: dict[str, Any] = {
        "type": "library",
        "bom-ref": each.purl,
        "name": each.name,
        "version": each.version,
        "purl": each.purl,
    }
    if each.licence:
        found["licenses"] = [{"expression": each.licence}]
    if each.sha512:
        found["hashes"] = [{"alg": "SHA-512", "content": each.sha512}]
    return found


if __name__ == "__main__":
    main()

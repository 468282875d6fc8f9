"""The graph against tools that know better. The same measurements, on larger samples, are in `benchmarks/codegraph`."""

from pathlib import Path

import pytest
from codegraph_trees import put

from benchmarks.codegraph import oracles


@pytest.fixture(scope="module")
def node_packages() -> Path:
    oracles.install_node_packages()
    return oracles.NODE / "node_modules"


@pytest.mark.parametrize("package", ["django", "pydantic", "rich", "httpx"])
def test_import_edges_agree_with_grimp(package: str) -> None:
    found = oracles.imports_against_grimp(package)
    assert found.expected > 50
    assert found.precision >= 0.99
    assert found.recall >= 0.99


@pytest.mark.parametrize("package", ["rxjs", "@nestjs/common"])
def test_import_edges_agree_with_the_typescript_compiler(node_packages: Path, package: str) -> None:
    found = oracles.imports_against_typescript(node_packages / package)
    assert found.expected > 500
    assert found.precision >= 0.99
    assert found.recall >= 0.99


@pytest.mark.usefixtures("node_packages")
def test_settings_of_a_workspace_are_read_as_the_typescript_compiler_does(tmp_path: Path) -> None:
    put(tmp_path, WORKSPACE)
    modules = tmp_path / "node_modules" / "@acme"
    modules.mkdir(parents=True)
    for name in ("ui", "core"):
        (modules / name).symlink_to(tmp_path / "packages" / name)
    found = oracles.imports_against_typescript(tmp_path)
    assert found.expected == 15
    assert (found.precision, found.recall) == (1.0, 1.0)


@pytest.mark.parametrize("application", ["express_app", "nest_app"])
@pytest.mark.usefixtures("node_packages")
def test_endpoints_are_those_that_the_running_node_application_reports(application: str) -> None:
    found = oracles.routes_against_application(application)
    assert found.expected > 10
    assert (found.precision, found.recall) == (1.0, 1.0)


@pytest.mark.parametrize("application", ["fastapi_app", "flask_app", "django_app"])
def test_endpoints_are_those_that_the_running_application_reports(application: str) -> None:
    found = oracles.routes_against_application(application)
    assert found.expected > 10
    assert (found.precision, found.recall) == (1.0, 1.0)


def test_call_targets_agree_with_jedi() -> None:
    found = oracles.calls_against_jedi("httpx", 24)
    assert found.expected >= 5
    assert found.precision >= 0.95
    assert found.recall >= 0.8


WORKSPACE = {
    "package.json": '{"private": true, "workspaces": ["packages/*"]}',
    "tsconfig.base.json": """
        {
          // shared by all packages
          "compilerOptions": {
            "module": "nodenext", "moduleResolution": "nodenext", "allowJs": true, "target": "es2022",
          },
        }
    """,
    "packages/core/package.json": """
        {"name": "@acme/core", "type": "module",
         "imports": {"#internal/*": "./src/internal/*.ts"},
         "exports": {".": "./src/index.ts", "./shapes/*": {"import": "./src/shapes/*.ts"}, "./package.json": null}}
    """,
    "packages/core/tsconfig.json": '{"extends": "../../tsconfig.base.json"}',
    "packages/core/src/index.ts": """
        export * from "./shapes/square.js";
        export type { Circle } from "./shapes/circle.js";
        import { secret } from "#internal/secret";
        import { square } from "@acme/core/shapes/square";
        export default secret;
    """,
    "packages/core/src/internal/secret.ts": "export const secret = 1;\n",
    "packages/core/src/shapes/square.ts": 'export const square = async () => (await import("./circle.js")).circle;\n',
    "packages/core/src/shapes/circle.ts": "export interface Circle {}\nexport const circle = 1;\n",
    "packages/ui/package.json": '{"name": "@acme/ui", "main": "lib/main.js", "types": "src/main.tsx"}',
    "packages/ui/tsconfig.json": """
        {"extends": "../../tsconfig.base.json",
         "compilerOptions": {"module": "esnext", "moduleResolution": "bundler", "jsx": "react",
                             "paths": {"@/*": ["./src/*"], "@/theme": ["./themes/dark.ts"]}}}
    """,
    "packages/ui/src/main.tsx": """
        import { Button } from "@/button";
        import theme from "@/theme";
        import { square } from "@acme/core";
        import { circle } from "@acme/core/shapes/circle";
        import * as icons from "./icons";
        import old = require("./old");
        let later: import("./types").Later;
        export { Button };
    """,
    "packages/ui/src/button/index.tsx": 'import "../icons/index";\nexport const Button = 1;\n',
    "packages/ui/src/button.css": "",
    "packages/ui/src/icons/index.ts": 'export * as arrows from "./arrows";\n',
    "packages/ui/src/icons/arrows.js": "module.exports = {};\n",
    "packages/ui/src/old.cts": "export = 1;\n",
    "packages/ui/src/types.d.ts": "export interface Later {}\n",
    "packages/ui/themes/dark.ts": "export default {};\n",
    "packages/app/package.json": '{"name": "app", "dependencies": {"@acme/ui": "*"}}',
    "packages/app/tsconfig.json": '{"extends": ["../../tsconfig.base.json", "./paths.json"]}',
    "packages/app/paths.json": """
        {"compilerOptions": {"module": "esnext", "moduleResolution": "bundler", "paths": {"~*": ["./source/*"]}}}
    """,
    "packages/app/source/main.ts": 'import { Button } from "@acme/ui";\nimport "~setup";\n',
    "packages/app/source/setup.mts": "",
    "packages/app/source/setup.ts": 'declare module "./main" {}\nexport {};\n',
}

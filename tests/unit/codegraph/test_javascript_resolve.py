"""JavaScript and TypeScript imports and calls across files."""

from pathlib import Path

from codegraph_trees import edges, graph, index, put


def test_calls_through_every_kind_of_export(tmp_path: Path) -> None:
    found = graph(
        tmp_path,
        {
            "lib/index.ts": """
                export { work as labour } from "./impl";
                export * from "./more";
                export * as tools from "./tools";
                export { default as Shop } from "./shop";
            """,
            "lib/impl.ts": "export function work() {}\n",
            "lib/more.ts": "export const extra = () => 1;\n",
            "lib/tools.ts": "export const saw = { cut() {} };\n",
            "lib/shop.ts": """
                import { Base } from "./base.js";
                export default class Shop extends Base {
                  sell(): Shop { return this; }
                  static open(): Shop { return new Shop(); }
                }
            """,
            "lib/base.ts": "export abstract class Base { close() {} }\n",
            "main.ts": """
                import { labour, extra, tools, Shop } from "./lib";
                import type * as types from "./lib";
                function a() { labour(); extra(); }
                function b() { tools.saw.cut(); }
                function c() { new Shop().sell().close(); Shop.open().sell(); }
                function d(shop: Shop) { shop.close(); }
                class Till { constructor(private shop: Shop) {} ring() { this.shop.sell(); } }
            """,
        },
    )
    assert {(s.partition("::")[2], t) for s, t in edges(found, "calls") if s.startswith("main")} == {
        ("a", "lib/impl.ts::work"),
        ("a", "lib/more.ts::extra"),
        ("b", "lib/tools.ts::saw.cut"),
        ("c", "lib/shop.ts::Shop"),
        ("c", "lib/shop.ts::Shop.sell"),
        ("c", "lib/shop.ts::Shop.open"),
        ("c", "lib/base.ts::Base.close"),
        ("d", "lib/base.ts::Base.close"),
        ("Till.ring", "lib/shop.ts::Shop.sell"),
    }
    assert edges(found, "extends") == {("lib/shop.ts::Shop", "lib/base.ts::Base")}


def test_commonjs_and_esm_see_each_other(tmp_path: Path) -> None:
    found = graph(
        tmp_path,
        {
            "whole.js": "function whole() {}\nmodule.exports = whole;\n",
            "parts.js": "module.exports = { one() {}, two };\nfunction two() {}\n",
            "passed.cjs": 'module.exports = require("./whole");\n',
            "esm.mjs": "export default function main() {}\nexport function side() {}\n",
            "user.js": """
                const whole = require("./whole");
                const passed = require("./passed.cjs");
                const parts = require("./parts");
                const { two } = require("./parts");
                const { side } = require("./esm.mjs");
                whole(); passed(); parts.one(); two(); side();
            """,
            "user.ts": """
                import whole from "./whole";
                import { one } from "./parts";
                whole(); one();
            """,
        },
    )
    calls = edges(found, "calls")
    assert {t for s, t in calls if s == "user.js"} == {
        "whole.js::whole",
        "parts.js::one",
        "parts.js::two",
        "esm.mjs::side",
    }
    assert {t for s, t in calls if s == "user.ts"} == {"whole.js::whole", "parts.js::one"}


def test_suffixes_stand_for_each_other_and_folders_for_their_index(tmp_path: Path) -> None:
    found = graph(
        tmp_path,
        {
            "a.ts": 'import "./b.js"; import "./c.jsx"; import "./d.mjs"; import "./e"; import "./f"; import "./g";\n',
            "b.ts": "",
            "c.tsx": "",
            "d.mts": "",
            "e/index.ts": "",
            "e.d.ts": "",
            "f.js": "",
            "f.d.ts": "",
            "g/package.json": '{"main": "./start.js"}',
            "g/start.ts": "",
        },
    )
    assert {t for _, t in edges(found, "imports")} == {
        "b.ts",
        "c.tsx",
        "d.mts",
        "e.d.ts",
        "f.js",
        "f.d.ts",
        "g/start.ts",
    }


def test_paths_come_from_the_nearest_settings_and_those_they_extend_or_refer_to(tmp_path: Path) -> None:
    found = graph(
        tmp_path,
        {
            "tsconfig.json": '{"files": [], "references": [{"path": "./tsconfig.app.json"}]}',
            "tsconfig.app.json": '{"compilerOptions": {"paths": {"#lib/*": ["./lib/*"], "@/*": ["./src/*"]}}}',
            "src/main.ts": 'import "@/deep/one"; import "#lib/two"; import "react"; import "~/deep/one";\n',
            "src/deep/one.ts": "",
            "lib/two.ts": "",
            "old/jsconfig.json": '{"compilerOptions": {"baseUrl": "."}}',
            "old/main.js": 'import "util/three";\n',
            "old/util/three.js": "",
        },
    )
    assert edges(found, "imports") == {
        ("src/main.ts", "src/deep/one.ts"),
        ("src/main.ts", "lib/two.ts"),
        ("old/main.js", "old/util/three.js"),
    }
    assert found.modules["src/main.ts"].externals == ("react",)


def test_packages_of_workspaces_are_found_by_name_with_sources_for_built_files(tmp_path: Path) -> None:
    found = graph(
        tmp_path,
        {
            "pnpm-workspace.yaml": "packages:\n  - 'libs/*'\n  # and the application\n  - app\ncatalog:\n  - nothing\n",
            "libs/ui/package.json": """
                {"name": "@acme/ui", "exports": {".": {"types": "./dist/index.d.ts"}, "./x": "./dist/x.js"}}
            """,
            "libs/ui/src/index.ts": "",
            "libs/ui/src/x.tsx": "",
            "libs/core/package.json": '{"name": "core", "main": "lib/start.js"}',
            "libs/core/src/start.ts": "",
            "app/package.json": '{"name": "app", "dependencies": {"local": "file:../elsewhere"}}',
            "app/main.ts": 'import "@acme/ui"; import "@acme/ui/x"; import "core"; import "local"; import "react";\n',
            "elsewhere/package.json": '{"name": "local"}',
            "elsewhere/index.js": "",
            "fixtures/package.json": '{"name": "react"}',
            "fixtures/index.js": "",
        },
    )
    assert {t for _, t in edges(found, "imports")} == {
        "libs/ui/src/index.ts",
        "libs/ui/src/x.tsx",
        "libs/core/src/start.ts",
        "elsewhere/index.js",
    }


def test_settings_that_lead_out_of_the_tree_or_in_circles_are_ignored(tmp_path: Path) -> None:
    put(tmp_path, {"outside.json": '{"compilerOptions": {"paths": {"x": ["./y.ts"]}}}'})
    root = tmp_path / "root"
    put(root, {"a.ts": 'import "x";\nimport "../../secret";\n', "y.ts": ""})
    put(root, {"tsconfig.json": '{"extends": ["./tsconfig.json", "../outside.json", "./link.json", 5]}'})
    (root / "link.json").symlink_to(tmp_path / "outside.json")
    found = graph(root, {})
    assert edges(found, "imports") == set()
    assert found.modules["a.ts"].externals == ("x",)


def test_manifests_of_any_shape_are_read(tmp_path: Path) -> None:
    shapes = ["[]", "null", "{", '{"name": 5, "exports": [1, {"x": {}}], "workspaces": {"packages": 3}}', "[" * 100_000]
    for number, text in enumerate(shapes):
        put(
            tmp_path,
            {f"p{number}/package.json": text, f"p{number}/tsconfig.json": text, f"p{number}/a.ts": 'import "b";'},
        )
    assert len(graph(tmp_path, {}).modules) == len(shapes)


def test_a_changed_setting_is_taken_in(tmp_path: Path) -> None:
    found = index(tmp_path, {"tsconfig.json": "{}", "a.ts": 'import "@/b";\n', "lib/b.ts": ""})
    assert edges(found.graph, "imports") == set()
    put(tmp_path, {"tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["./lib/*"]}}}'})
    found.update()
    assert edges(found.graph, "imports") == {("a.ts", "lib/b.ts")}


def test_tests_lead_to_what_they_run(tmp_path: Path) -> None:
    found = graph(
        tmp_path,
        {
            "src/cart.ts": "export function add() {}\n",
            "src/cart.test.ts": """
                import { add } from "./cart";
                describe("cart", () => { it("adds", () => { add(); }); });
            """,
        },
    )
    assert edges(found, "tests") == {
        ("src/cart.test.ts", "src/cart.ts"),
        ("src/cart.test.ts::cart.adds", "src/cart.ts::add"),
    }


def test_components_depend_on_the_components_they_draw(tmp_path: Path) -> None:
    found = graph(
        tmp_path,
        {
            "Button.tsx": "export default function Button() { return <b/>; }\n",
            "Page.tsx": 'import Button from "./Button";\nexport const Page = () => <Button/>;\n',
        },
    )
    assert edges(found, "calls") == {("Page.tsx::Page", "Button.tsx::Button")}
    assert "component" in found.modules["Page.tsx"].tags


def test_models_and_entities_are_used_across_files(tmp_path: Path) -> None:
    found = graph(
        tmp_path,
        {
            "models/user.ts": "export const User = mongoose.model('User', schema);\n",
            "models/tag.ts": "@Entity()\nexport class Tag {}\n",
            "service.ts": """
                import { User } from "./models/user";
                import { Tag } from "./models/tag";
                export const find = () => User.findById(1);
                export class Tags { constructor(private tags: Repository<Tag>) {} all() { return this.tags.find(); } }
            """,
        },
    )
    assert edges(found, "uses-db") == {
        ("service.ts::find", "models/user.ts::User"),
        ("service.ts::Tags.all", "models/tag.ts::Tag"),
    }


def test_a_title_does_not_hide_the_import_of_the_same_name(tmp_path: Path) -> None:
    found = graph(
        tmp_path,
        {
            "src/add.js": "export function add(a, b) { return a + b; }",
            "test/add.js": """
                import { add } from "../src/add.js";
                describe("add", () => { it("add", () => { add(1, 2); }); });
            """,
        },
    )
    assert edges(found, "calls") == {("test/add.js::add.add", "src/add.js::add")}


def test_the_folder_of_mochas_tests_holds_tests(tmp_path: Path) -> None:
    found = graph(
        tmp_path,
        {
            "lib/add.js": "exports.add = (a, b) => a + b;",
            "test/add.js": 'const { add } = require("../lib/add"); it("adds", () => { add(1, 2); });',
            "packages/a/test/unit/b.cjs": "",
            "latest/c.js": "",
        },
    )
    tagged = {path for path, module in found.modules.items() if "test" in module.tags}
    assert tagged == {"test/add.js", "packages/a/test/unit/b.cjs"}
    assert ("test/add.js", "lib/add.js") in edges(found, "tests")

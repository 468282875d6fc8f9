"""Endpoints of Express, NestJS and Next; the example applications stand against their running routes in
`tests/integration/codegraph`."""

from pathlib import Path

from codegraph_trees import graph, index, served


def test_express_routers_are_joined_over_files(tmp_path: Path) -> None:
    found = graph(
        tmp_path,
        {
            "app.js": """
                const express = require("express");
                const users = require("./users");
                const app = express();
                app.use("/api", guard, users);
                app.use("/raw", require("./raw"));
                app.get("/", (request, response) => response.end());
            """,
            "users.js": """
                const { Router } = require("express");
                const control = require("./control");
                const router = Router();
                router.route("/users").get(control.list).post(wrap(control.create));
                router.get("/users/:id", control.show.bind(control));
                module.exports = router;
            """,
            "control.js": "exports.list = () => 1;\nexports.create = () => 1;\nexports.show = () => 1;\n",
            "raw.js": """
                const router = require("express").Router();
                router.all("/any", handle);
                function handle() {}
                module.exports = router;
            """,
            "client.js": 'const express = require("express");\naxios.get("/users", config);\n',
        },
    )
    assert served(found) == {
        ("GET", "/", "app.js::GET /"),
        ("GET", "/api/users", "control.js::list"),
        ("POST", "/api/users", "control.js::create"),
        ("GET", "/api/users/:id", "control.js::show"),
        ("ANY", "/raw/any", "raw.js::handle"),
    }
    assert {e.framework for e in found.endpoints.values()} == {"express"}


def test_nest_prefixes_hold_for_the_application_they_are_set_in(tmp_path: Path) -> None:
    controller = """
        @Controller("cats")
        export class Cats { @Get(":id") show() {} @Post() add() {} }
    """
    found = graph(
        tmp_path,
        {
            "apps/one/src/main.ts": 'async function main() { app.setGlobalPrefix("api"); }\n',
            "apps/one/src/cats.ts": controller,
            "apps/two/src/cats.ts": controller,
        },
    )
    one, two = "apps/one/src/cats.ts::Cats", "apps/two/src/cats.ts::Cats"
    assert served(found) == {
        ("GET", "/api/cats/:id", f"{one}.show"),
        ("POST", "/api/cats", f"{one}.add"),
        ("GET", "/cats/:id", f"{two}.show"),
        ("POST", "/cats", f"{two}.add"),
    }


def test_next_routes_follow_from_paths(tmp_path: Path) -> None:
    handler = "export default function handler() {}\n"
    found = graph(
        tmp_path,
        {
            "pages/api/users/[id].ts": handler,
            "pages/api/index.js": handler,
            "pages/about.tsx": handler,
            "src/app/api/orders/[...rest]/route.ts": """
                export async function GET() {}
                export const POST = async () => {};
            """,
            "src/app/(shop)/cart/page.tsx": handler,
            "src/app/cart/layout.tsx": handler,
        },
    )
    route = "src/app/api/orders/[...rest]/route.ts"
    assert served(found) == {
        ("ANY", "/api/users/[id]", "pages/api/users/[id].ts::handler"),
        ("ANY", "/api", "pages/api/index.js::handler"),
        ("GET", "/api/orders/[...rest]", f"{route}::GET"),
        ("POST", "/api/orders/[...rest]", f"{route}::POST"),
        ("GET", "/cart", "src/app/(shop)/cart/page.tsx::handler"),
    }
    assert [e.id for e in found.get_endpoints_by_path("/api/orders/1/items")] == [
        "GET /api/orders/[...rest]",
        "POST /api/orders/[...rest]",
    ]


def test_endpoints_follow_a_change(tmp_path: Path) -> None:
    found = index(tmp_path, {"app.ts": 'import express from "express";\nconst app = express();\napp.get("/a", go);\n'})
    (tmp_path / "app.ts").write_text('import express from "express";\nconst app = express();\napp.put("/b", go);\n')
    found.update(["app.ts"])
    assert list(found.graph.endpoints) == ["PUT /b"]

"""Endpoints of FastAPI, Flask and Django over several files."""

from pathlib import Path

from codegraph_trees import graph, served


def test_fastapi_prefixes_of_routers_and_mounts_are_joined(tmp_path: Path) -> None:
    found = graph(
        tmp_path,
        {
            "app/__init__.py": "",
            "app/main.py": """
                from fastapi import FastAPI
                from app.api import router as api
                from app import users
                def create_app() -> FastAPI:
                    app = FastAPI()
                    app.include_router(api, prefix="/api")
                    app.include_router(users.router)
                    @app.get("/health")
                    def health(): ...
                    return app
                app = create_app()
                @app.get("/late")
                async def late(): ...
            """,
            "app/api.py": """
                from fastapi import APIRouter
                from app.users import router as users
                router = APIRouter(prefix="/v1")
                router.include_router(users, prefix="/people")
                @router.websocket("/ws")
                async def ws(): ...
            """,
            "app/users.py": """
                from fastapi import APIRouter
                router = APIRouter(prefix="/users")
                @router.get("/{id}")
                @router.head("/{id}")
                def show(id: int): ...
                @router.post("")
                def create(): ...
            """,
        },
    )
    show, create = "app/users.py::show", "app/users.py::create"
    assert served(found) == {
        ("GET", "/health", "app/main.py::create_app.health"),
        ("GET", "/late", "app/main.py::late"),
        ("WEBSOCKET", "/api/v1/ws", "app/api.py::ws"),
        ("GET", "/users/{id}", show),
        ("HEAD", "/users/{id}", show),
        ("POST", "/users", create),
        ("GET", "/api/v1/people/users/{id}", show),
        ("HEAD", "/api/v1/people/users/{id}", show),
        ("POST", "/api/v1/people/users", create),
    }
    assert {e.framework for e in found.endpoints.values()} == {"fastapi"}


def test_flask_blueprints_nest_and_take_their_mounts_prefix(tmp_path: Path) -> None:
    found = graph(
        tmp_path,
        {
            "site/__init__.py": """
                from flask import Flask
                from .blog import bp
                from . import shop
                def create_app():
                    app = Flask(__name__)
                    app.register_blueprint(bp)
                    shop.init_app(app)
                    app.add_url_rule("/thing", view_func=Thing.as_view("thing"))
                    return app
                class Thing(MethodView):
                    def get(self): ...
                    def delete(self): ...
            """,
            "site/blog.py": """
                bp = Blueprint("blog", __name__, url_prefix="/blog")
                inner = Blueprint("inner", __name__, url_prefix="/inner")
                bp.register_blueprint(inner)
                @bp.route("/", methods=["GET", "POST"])
                def index(): ...
                @inner.route("/deep")
                def deep(): ...
            """,
            "site/shop.py": """
                bp = Blueprint("shop", __name__, url_prefix="/old")
                def init_app(app):
                    app.register_blueprint(bp, url_prefix="/shop")
                @bp.get("/cart")
                def cart(): ...
            """,
        },
    )
    assert served(found) == {
        ("GET", "/blog/", "site/blog.py::index"),
        ("POST", "/blog/", "site/blog.py::index"),
        ("GET", "/blog/inner/deep", "site/blog.py::deep"),
        ("GET", "/shop/cart", "site/shop.py::cart"),
        ("GET", "/thing", "site/__init__.py::Thing"),
        ("DELETE", "/thing", "site/__init__.py::Thing"),
    }


def test_django_includes_are_followed_by_name(tmp_path: Path) -> None:
    found = graph(
        tmp_path,
        {
            "proj/__init__.py": "",
            "proj/urls.py": """
                from django.urls import include, path
                from shop import urls as shop_urls
                urlpatterns = [path("blog/", include("blog.urls")), path("shop/", include(shop_urls))]
            """,
            "blog/__init__.py": "",
            "blog/urls.py": """
                from django.urls import path
                from . import views
                urlpatterns = [path("", views.index), path("<int:pk>/", views.Detail.as_view())]
            """,
            "blog/views.py": """
                @require_http_methods(["GET", "POST"])
                def index(request): ...
                class Detail(View):
                    def get(self, request, pk): ...
            """,
            "shop/__init__.py": "",
            "shop/urls.py": """
                from django.urls import re_path
                from shop.views import cart
                urlpatterns = [re_path(r"^cart/$", cart)]
            """,
            "shop/views.py": "def cart(request): ...\n",
        },
    )
    assert served(found) == {
        ("GET", "/blog/", "blog/views.py::index"),
        ("POST", "/blog/", "blog/views.py::index"),
        ("GET", "/blog/<int:pk>/", "blog/views.py::Detail"),
        ("ANY", "/shop/cart/", "shop/views.py::cart"),
    }


def test_a_router_that_nothing_mounts_is_less_certain(tmp_path: Path) -> None:
    source = """
        from fastapi import APIRouter
        router = APIRouter(prefix="/x")
        @router.get("/y")
        def y(): ...
    """
    found = graph(tmp_path, {"m.py": source})
    assert [(e.path, e.confidence) for e in found.endpoints.values()] == [("/x/y", 0.5)]


def test_equal_endpoints_get_their_own_ids(tmp_path: Path) -> None:
    source = """
        from flask import Flask
        app = Flask(__name__)
        @app.get("/a")
        def one(): ...
        @app.get("/a")
        def two(): ...
    """
    assert list(graph(tmp_path, {"m.py": source}).endpoints) == ["GET /a", "GET /a #2"]

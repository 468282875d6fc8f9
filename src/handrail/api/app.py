"""The web application: routers by subject, the parts every request passes, and errors as problems."""

from __future__ import annotations

from importlib.metadata import version

from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import Mount, Route

from handrail.api import catalogue, openapi, problems, rates
from handrail.api.chat.server import Chat
from handrail.api.compression import Compression
from handrail.api.gate import CHAT_PATH, Gate
from handrail.api.identity import CSRF_HEADER
from handrail.api.metrics import Metrics
from handrail.api.pages import ASSETS, Pages
from handrail.api.requests import ID_HEADER, Requests
from handrail.api.routes import (
    absences,
    agents,
    audit,
    brake,
    case_events,
    changes,
    channels,
    code_graph,
    confirmations,
    deliveries,
    documents,
    events,
    execution,
    execution_socket,
    grants,
    health,
    hindsight,
    holds,
    hooks,
    inbox,
    insights,
    notifications,
    observations,
    orchestrate,
    packs,
    passkeys,
    people,
    policy,
    push,
    replay,
    report,
    run_socket,
    run_story,
    runs,
    samples,
    session_files,
    sign_in,
    skills,
    sso,
    tokens,
    triage,
)
from handrail.api.services import Services
from handrail.channels import linking
from handrail.models.embeddings import embedder
from handrail.skills.discovery import Discovery

# A new subject: its module under routes/ with a `router`, and a line here.
ROUTERS: tuple[APIRouter, ...] = (
    holds.router,
    inbox.router,
    triage.router,
    packs.router,
    samples.router,
    hooks.router,
    runs.router,
    run_socket.router,
    run_story.router,
    changes.router,
    orchestrate.router,
    confirmations.router,
    events.router,
    case_events.router,
    skills.router,
    execution.router,
    execution_socket.router,
    session_files.router,
    policy.router,
    replay.router,
    audit.router,
    brake.router,
    observations.router,
    grants.router,
    insights.router,
    hindsight.router,
    report.router,
    agents.router,
    deliveries.router,
    channels.router,
    channels.guarded,
    push.guarded,
    notifications.router,
    documents.router,
    code_graph.router,
    people.router,
    absences.router,
    tokens.router,
    sign_in.router,
    sign_in.guarded,
    passkeys.router,
    passkeys.guarded,
    passkeys.deciding,
    sso.router,
    sso.returning,
    sso.guarded,
    health.router,
    health.guarded,
)
# Each as it is: `include_router` makes them once more for each app, models and all, and matches each request twice.
ROUTES = [route for router in ROUTERS for route in router.routes]


def create_app(services: Services) -> FastAPI:
    """The app on these services. It starts and stops nothing: that is the business of who made them."""
    catalogue.declared()
    metrics = Metrics(services.settings.decision_target_seconds, services.shared)
    app = FastAPI(
        title="Handrail",
        version=version("handrail"),
        description=openapi.DESCRIPTION,
        openapi_tags=openapi.TAGS,
        middleware=[
            Middleware(Requests, metrics, services.traces),
            Middleware(Gate, services.settings),
            *_foreign_pages(services),
            Middleware(Compression),
        ],
        # the pages that FastAPI offers load scripts from elsewhere
        docs_url=None,
        redoc_url=None,
        # an address has one spelling
        redirect_slashes=False,
    )
    app.state.services = services
    app.state.metrics = metrics
    app.state.rates = rates.Rates(services.settings, services.database)
    app.state.sso = linking.desk_of(services.context, services.settings)
    app.state.discovery = Discovery(services.database, embedder(services.settings), services.settings.skill_threshold)
    app.state.routes = [route for route in ROUTES if isinstance(route, APIRoute)]
    problems.handle(app)
    app.router.routes.extend(ROUTES)
    app.router.routes.append(Mount(CHAT_PATH, Chat(services, metrics.chat, app.state.rates)))
    pages = app.router.default = Pages()
    # before all others: a page asks for forty files, and looking through the routes takes as long as answering
    app.router.routes.insert(0, Route(f"{ASSETS}{{file:path}}", pages, include_in_schema=False))
    openapi.document(app)
    return app


def _foreign_pages(services: Services) -> list[Middleware]:
    origins = services.settings.allowed_origins
    if not origins:
        return []
    return [
        Middleware(
            CORSMiddleware,
            allow_origins=origins,
            allow_credentials=True,
            allow_methods=["GET", "POST", "PATCH", "DELETE"],
            allow_headers=["Authorization", "Content-Type", "Idempotency-Key", "Last-Event-ID", CSRF_HEADER],
            expose_headers=[ID_HEADER, "Retry-After"],
        )
    ]

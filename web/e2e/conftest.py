"""One server and one browser for all end-to-end tests of a process; a hold of its own for each test."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

import database as databases
import pytest
import server as servers
from browser import SHELL, WHOLE, Visitor, launched, link_for, visitor
from playwright.sync_api import Browser, Locator, Playwright, expect, sync_playwright
from server import ServerProcess
from stage import Company
from typist import BY_HAND, Typist

Enter = Callable[..., Visitor]
SIZES: dict[str, dict[str, Any]] = {
    "desk": {"viewport": {"width": 1360, "height": 860}},
    "phone": {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True},
}
LOOKS = {
    f"{size}, {theme}": {**window, "color_scheme": theme}
    for size, window in SIZES.items()
    for theme in ("light", "dark")
}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--looks", choices=["few", "all"], default="few", help="in which looks stories run: README.md")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A story runs in the looks that its mark names, or in all of them."""
    story = metafunc.definition.get_closest_marker("story")
    if story is not None:
        names = LOOKS if metafunc.config.getoption("--looks", "few") == "all" else story.args[1:]
        metafunc.parametrize("look", [pytest.param(LOOKS[name], id=name) for name in names])


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "story(number, *looks): what people do by keyboard alone, `make looks` (README.md)"
    )
    if not hasattr(config, "workerinput"):
        databases.begin_run()


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        databases.end_run()


@pytest.fixture(scope="session")
def driver() -> Generator[Playwright]:
    with sync_playwright() as found:
        yield found


@pytest.fixture(scope="session")
def browser(driver: Playwright) -> Generator[Browser]:
    with launched(driver, SHELL, WHOLE) as found:
        yield found


@pytest.fixture(scope="session")
def whole_browser(driver: Playwright) -> Generator[Browser]:
    """With what stands around a page: notifications, and the offer to install it."""
    with launched(driver, WHOLE) as found:
        yield found


@pytest.fixture(scope="session")
def office() -> Generator[ServerProcess]:
    """Sign-ins of many tests come from one address."""
    with servers.running(HANDRAIL_WRONG_PASSWORDS_PER_ADDRESS="1000") as server:
        yield server


@pytest.fixture(scope="session")
def founded(office: ServerProcess) -> Company:
    for name, role in (("Mara", "tech_lead"), ("Jon", "team_lead"), ("Carl", "cto"), ("Dev", "developer")):
        link_for(office, name, role)
    link_for(office, "Ada", "administrator", "tech_lead")
    return Company(office)


@pytest.fixture
def company(founded: Company) -> Generator[Company]:
    """What a test leaves waiting is in nobody's inbox in the next one."""
    yield founded
    founded.give_up()


@pytest.fixture(scope="session")
def place(founded: Company) -> ServerProcess:
    """Where people enter; tests of another server have one of their own by this name."""
    return founded.server


@pytest.fixture
def enter(browser: Browser, place: ServerProcess) -> Generator[Enter]:
    """Opens a window for a person who is signed in; at the end none of them may have complained."""
    windows: list[Visitor] = []

    def opened(name: str, **options: Any) -> Visitor:
        windows.append(visitor(browser, place, name, **options))
        return windows[-1]

    yield opened
    for window in windows:
        window.close()


@pytest.fixture
def typist(enter: Enter, look: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Typist]:
    """Opens a window in the story's look for a person without a mouse, and keeps the test from lending them one."""

    def refused(wanted: Locator, *_: Any, **__: Any) -> None:
        raise AssertionError(f"{wanted} is not used by keyboard")

    for name in BY_HAND:
        monkeypatch.setattr(Locator, name, refused)

    def seated(name: str, path: str = "/inbox", **options: Any) -> Typist:
        made = Typist(enter(name, path=path, **look, **options))
        expect(made.page.get_by_role("status").filter(has_text="live")).to_be_visible()
        return made

    return seated

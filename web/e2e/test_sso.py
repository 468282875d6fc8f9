"""Company sign-in in a real browser, with a real provider."""

from __future__ import annotations

import socket
import tempfile
from pathlib import Path

import server as servers
from browser import REFUSALS, barriers
from oidc_world import provider, sso_file
from playwright.sync_api import Browser, expect


def test_a_person_signs_in_at_the_company_and_comes_back_to_the_page_they_wanted(browser: Browser) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    home = f"http://127.0.0.1:{port}"
    with provider(f"{home}/api/sso/corp/callback") as corp, tempfile.TemporaryDirectory() as folder:
        corp.employs("ann", "leads")
        corp.employs("eve", "chess")
        file = str(sso_file(Path(folder), corp=corp))
        server = servers.ServerProcess(Path(folder) / "server", HANDRAIL_SSO_FILE=file, HANDRAIL_PUBLIC_URL=home)
        server.folder.mkdir()
        server.url = home
        server.start()
        try:
            context = browser.new_context()
            context.add_init_script(REFUSALS)
            page = context.new_page()
            page.goto(f"{home}/runs")
            page.get_by_role("link", name="Sign in with Corp").wait_for()
            assert barriers(page) == []
            page.get_by_role("link", name="Sign in with Corp").click()
            page.get_by_role("link", name="Continue as eve").click()
            expect(page.get_by_text("None of your groups gives you a role here.")).to_be_visible()
            page.get_by_role("link", name="Sign in with Corp").click()
            page.get_by_role("link", name="Continue as ann").click()
            expect(page.get_by_role("button", name="ann: account")).to_be_visible()
            context.close()
        finally:
            server.close()

"""What tests of a change's page share: a shop on a code host, a model whose script each test writes, people's hands."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from typing import Any

import change_scripts
from browser import PATIENCE_MS
from change_scripts import FINISHED, INTENDED, PLANNED, call
from hosting_stub import Grant, Repository
from hosting_stub.server import Faulty
from playwright.sync_api import Locator, Page, expect

# a worker's first steps on a busy machine
LONG_MS = 4 * PATIENCE_MS
TOKEN = "token-of-the-code-host"
NUMBERS = count(1)
# far enough apart that each function is a hunk of its own
MONEY = f"""def cents(price):
    return int(price * 100)


{"".join(f"RATE_{number} = {number}" + chr(10) for number in range(20))}

def euros(amount):
    return int(amount / 100)
"""
ROUNDED = """--- a/money.py
+++ b/money.py
@@ -1,2 +1,2 @@
 def cents(price):
-    return int(price * 100)
+    return round(price * 100)
"""
DIVIDED = """--- a/money.py
+++ b/money.py
@@ -26,2 +26,2 @@
 def euros(amount):
-    return int(amount / 100)
+    return amount / 100
"""


class Desk:
    """A folder with the model's scripts, and a host with repositories."""

    def __init__(self, folder: Path, host: Faulty) -> None:
        self.folder = folder
        self.host = host
        host.tokens[TOKEN] = Grant()
        (folder / "scripts").mkdir()
        self.script(intent=INTENDED, plan=PLANNED, edit=[call("apply_patch", patch=ROUNDED), FINISHED])

    def settings(self) -> Mapping[str, str]:
        return {
            "HANDRAIL_LLM_MODEL": f"scripted:{self.folder / 'scripts'}",
            "HANDRAIL_REPOSITORY_ROOTS": str(self.folder),
            "HANDRAIL_CODE_HOSTS": '{"127.0.0.1": "github"}',
            "HANDRAIL_GIT_PRIVATE_HOSTS": "127.0.0.1",
            "GITHUB_TOKEN": TOKEN,
            "HANDRAIL_CONCURRENCY": "1",
            "AGENT_MAX_RETRIES": "1",
        }

    def script(self, **parts: Any) -> None:
        """What the model says from now on: the next change reads it when it begins a turn."""
        for name, steps in parts.items():
            # JSON is YAML
            (self.folder / "scripts" / f"change-{name}.yaml").write_text(json.dumps(steps))

    def hosted(self) -> Repository:
        """A shop of its own on the host."""
        number = next(NUMBERS)
        source = change_scripts.repository(self.folder / f"source{number}")
        change_scripts.commit(str(source), "money.py", MONEY)
        return self.host.repository(f"team/shop{number}", source)

    def address(self, shop: Repository) -> str:
        return f"{self.host.url}/{shop.path}.git"


def start(page: Page, address: str, message: str = "Round prices.") -> None:
    """From the form, which is open."""
    page.get_by_label("What should be different?").fill(message)
    page.get_by_label("Repository", exact=True).fill(address)
    page.get_by_role("button", name="Start", exact=False).click()
    page.wait_for_url("**/changes/0*")


def reloaded(page: Page, shown: Callable[[], None]) -> None:
    """The same before and after."""
    shown()
    page.reload()
    shown()


def decision(page: Page) -> Locator:
    return page.get_by_role("region", name="Decision")


def approve(page: Page) -> None:
    decision(page).get_by_role("button", name="Approve").click()


def wait_for_result(page: Page, commits: str = "exactly this commit is published") -> None:
    expect(page.get_by_text(commits)).to_be_visible(timeout=LONG_MS)

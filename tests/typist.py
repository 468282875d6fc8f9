"""A person who has a keyboard and nothing else: what Tab, arrows, Enter and letters do not lead to, they cannot use."""

from __future__ import annotations

from pathlib import Path

from browser import Visitor
from playwright.sync_api import Locator, Page, expect

# the furthest that anything is away, from the top of the fullest page
MOST_KEYS = 80
# after what the last key set off, which may move the focus in a moment of its own
HAS_FOCUS = "(one) => new Promise((said) => setTimeout(() => said(one === document.activeElement)))"
# what moves the focus or a value without a key
BY_HAND = ("check", "clear", "click", "dblclick", "drag_to", "fill", "focus", "hover", "press", "press_sequentially",
           "select_option", "set_checked", "set_input_files", "tap", "uncheck")  # fmt: skip


class Typist:
    """At a window; `page` is there to look at."""

    def __init__(self, window: Visitor) -> None:
        self.window = window
        self.page: Page = window.page
        # whoever is asked for a file is asked by the driver from now on, and not a moment after the first key
        self.page.on("filechooser", lambda _: None)
        self.on_phone: bool = self.page.evaluate("innerWidth < 640")

    def go(self, path: str) -> Page:
        """By an address, as from a link in a message."""
        self.window.go(path)
        expect(self.page.get_by_role("status").filter(has_text="live")).to_be_visible()
        return self.page

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)

    def to(self, wanted: Locator, key: str = "Tab") -> None:
        """As far as this key leads."""
        expect(wanted).to_be_visible()
        for _ in range(MOST_KEYS):
            if wanted.evaluate(HAS_FOCUS):
                return
            self.page.keyboard.press(key)
        raise AssertionError(f"{key} does not lead to {wanted}")

    def on(self, wanted: Locator) -> None:
        """Uses a link or a button."""
        expect(wanted).to_be_enabled()
        self.to(wanted)
        self.press("Enter")

    def fill(self, field: Locator, text: str) -> None:
        self.to(field)
        self.press("Control+a")
        self.type(text) if text else self.press("Delete")

    def choose(self, field: Locator, option: str) -> None:
        """Of a list that the browser draws; its letters would be taken for the end of a word that was typed before."""
        self.to(field)
        self.press("Home")
        chosen = field.locator("option:checked")
        for _ in range(MOST_KEYS):
            if chosen.inner_text() == option:
                return
            self.press("ArrowDown")
        raise AssertionError(f"{field} does not offer {option}")

    def moment(self, field: Locator, date: str, time: str) -> None:
        """Part by part, as the browser's own field for moments takes them."""
        self.to(field)
        self.type(date.replace("/", ""))
        # a year may have six digits: it does not end by itself
        self.press("ArrowRight")
        self.type(time.replace(":", "").replace(" ", ""))

    def empty(self, moment: Locator) -> None:
        self.to(moment)
        self.press(*["Delete", "ArrowRight"] * 6)

    def pick(self, menu: Locator, item: Locator) -> None:
        """Of a menu of ours: opened, gone through, and used."""
        self.on(menu)
        self.to(item, "ArrowDown")
        self.press("Enter")

    def attach(self, field: Locator, file: Path) -> None:
        self.to(field)
        with self.page.expect_file_chooser() as chosen:
            self.press("Enter")
        chosen.value.set_files(file)

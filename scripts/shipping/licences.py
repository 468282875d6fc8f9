"""Prints the licence report of a release: every third-party component with its version and licence."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from scripts.shipping.components import Component, javascript, python

HEAD = """Handrail is licensed under Apache-2.0. It is released with, or installs, the components below.
Each is unchanged and comes with its own licence text.
"""


def _section(title: str, components: list[Component]) -> Iterator[str]:
    yield f"\n{title}: {len(components)}\n\n"
    width = max(len(f"{each.name} {each.version}") for each in components)
    for each in components:
        yield f"{f'{each.name} {each.version}':{width}}  {each.licence}\n"


if __name__ == "__main__":
    sys.stdout.write(HEAD)
    sys.stdout.writelines(_section("Python packages of handrail[all]", python()))
    sys.stdout.writelines(_section("JavaScript and fonts in the web pages", javascript()))

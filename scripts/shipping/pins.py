"""Prints what the image for a machine installs, as the lock file has it: exact versions with their hashes."""

from __future__ import annotations

import re
import sys

from scripts.shipping.components import ROOT, canonical, python

IN_IMAGE = "handrail[all,openai]"


def locked() -> list[str]:
    """All of the lock file; some packages have two pins: a version for older Pythons and one for newer."""
    blocks = re.split(r"^(?=[A-Za-z0-9])", (ROOT / "requirements.lock").read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [re.sub(r"^ +#.*\n", "", block, flags=re.MULTILINE) for block in blocks if not block.startswith("#")]


def pins(machine: str) -> list[str]:
    wanted = {each.name for each in python(IN_IMAGE, machine)}
    return [pin for pin in locked() if canonical(pin.partition("==")[0]) in wanted]


if __name__ == "__main__":
    sys.stdout.writelines(pins(sys.argv[1]))

"""`make bench`: runs every benchmark, keeps the figures as JSON and writes the table in docs/benchmarks.md.

`make bench ARGS="holds feed"` runs only those and leaves the figures of the others as they are.
"""

from __future__ import annotations

import ast
import importlib
import json
import os
import platform
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "results.json"
PAGE = ROOT / "docs" / "benchmarks.md"
INTRODUCTION = """# Benchmarks

Made by `make bench`. These machines are noisy, so only the ratios within one run count: ours against a floor or a peer,
measured side by side. No test asserts a time.
"""


def main(names: list[str]) -> None:
    kept: dict[str, Any] = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    for name in names or available():
        print(f"benchmarks.{name} …", flush=True)
        figures = importlib.import_module(f"benchmarks.{name}").run()
        kept[name] = {"machine": machine(), "figures": dict(_flat(figures))}
        RESULTS.write_text(json.dumps(kept, indent=2) + "\n")
    PAGE.write_text(page(kept))
    print(f"written: {RESULTS.relative_to(ROOT)}, {PAGE.relative_to(ROOT)}")


def available() -> list[str]:
    return sorted(folder.parent.name for folder in RESULTS.parent.glob("*/__init__.py"))


def machine() -> str:
    cpu = next((line for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line), "")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    name = cpu.partition(":")[2].strip() or platform.machine()
    return f"{os.cpu_count()} cores ({name}), {memory:.0f} GiB, Python {platform.python_version()}"


def page(kept: dict[str, Any]) -> str:
    parts = [INTRODUCTION]
    for name in sorted(kept):
        about = ast.get_docstring(ast.parse((RESULTS.parent / name / "__init__.py").read_text("utf-8")))
        rows = [f"| {key.replace('_', ' ')} | {_shown(value)} |" for key, value in kept[name]["figures"].items()]
        table = "\n".join(["| figure | value |", "| --- | ---: |", *rows])
        parts.append(f"## {name}\n{about}\n\nMachine: {kept[name]['machine']}.\n\n{table}\n")
    return "\n".join(parts)


def _flat(figures: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Figures by name; a group within them lends its name to its own."""
    for name, value in figures.items():
        if isinstance(value, Mapping):
            yield from _flat(cast("Mapping[str, Any]", value), f"{prefix}{name}: ")
        else:
            yield prefix + name, float(f"{value:.4g}") if isinstance(value, float) else value


def _shown(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) or (isinstance(value, float) and abs(value) >= 1000) else str(value)


if __name__ == "__main__":
    main(sys.argv[1:])

"""What differs between two JSON documents, by path."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"


def differences(before: Json, after: Json, path: str = "$") -> Iterator[str]:
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted({*before, *after}):
            inner = f"{path}.{key}"
            if key not in after:
                yield f"removed {inner}: {json.dumps(before[key])}"
            elif key not in before:
                yield f"added {inner}: {json.dumps(after[key])}"
            else:
                yield from differences(before[key], after[key], inner)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from differences(old, new, f"{path}[{number}]")
    elif before != after:
        yield f"changed {path}: {json.dumps(before)} → {json.dumps(after)}"


def main() -> None:
    before, after = (json.loads(Path(name).read_text()) for name in sys.argv[1:3])
    print("\n".join(differences(before, after)) or "no difference")


main()

"""A process that reads files for an index: `python -m handrail.codegraph.worker`.

Requests arrive as one JSON object a line, `{root, max_bytes, paths}`. For each path one line leaves: the content hash,
the reason for skipping it and its facts as JSON, separated by tabs. Own processes and not a fork of the caller: the
caller may have threads, and a parser that crashes or hangs takes one file with it and not the index.
"""

import gc
import json
import sys
from pathlib import Path

from handrail.codegraph import facts, reading
from handrail.codegraph.facts import FileFacts


def answer(root: Path, path: str, max_bytes: int) -> tuple[str, str, FileFacts | None]:
    """(content hash, reason for skipping, facts)."""
    content = reading.read(root, path, max_bytes)
    if content.reason:
        return content.hash, content.reason, None
    try:
        return content.hash, "", reading.facts_of(path, content.source)
    except reading.Unreadable:
        return content.hash, "does not parse", None
    except Exception as error:  # one file, however strange, must not end the index
        return content.hash, f"could not be read: {type(error).__name__}", None


def main() -> None:
    gc.disable()  # facts hold no cycles, and walking them all again and again takes a quarter of the time
    out = sys.stdout.buffer
    for line in sys.stdin.buffer:
        request = json.loads(line)
        root = Path(request["root"])
        for path in request["paths"]:
            content_hash, reason, found = answer(root, path, request["max_bytes"])
            data = facts.encode(found) if found is not None else b""
            out.write(b"\t".join((content_hash.encode(), reason.encode(), data)) + b"\n")
            out.flush()


if __name__ == "__main__":
    main()

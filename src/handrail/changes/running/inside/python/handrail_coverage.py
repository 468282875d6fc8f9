"""Runs a module as `python -m` does, and writes which lines were run: by the repository's own coverage.py, or not at
all where it has none."""

import os
import runpy
import sys
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from typing import Any

NO_COVERAGE = 3


def main() -> None:
    try:
        coverage: Any = import_module("coverage")
    except ImportError:
        sys.exit(NO_COVERAGE)
    module, *given = sys.argv[1:]
    if module == "pytest":
        # what measures by itself, or in other processes, would leave us without a line
        given += [flag for name, flag in (("pytest_cov", "--no-cov"), ("xdist", "-n0")) if find_spec(name)]
    # not by the repository's settings: these may leave out what was changed
    measured = coverage.Coverage(data_file=None, source=["."], config_file=False)
    sys.argv = [module, *given]
    measured.start()
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    finally:
        measured.stop()
        with suppress(coverage.CoverageException):
            measured.json_report(outfile=os.environ["HANDRAIL_COVERAGE"])


if __name__ == "__main__":
    main()

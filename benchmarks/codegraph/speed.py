"""Speed as ratios in one run: bare parsing of the same files is the measure, so that machines can be compared."""

import gc
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tree_sitter

from handrail.codegraph import languages
from handrail.codegraph.impact import impact_of
from handrail.codegraph.index import Index, Options, build
from handrail.codegraph.walk import walk

_ROUNDS = 3
_ADDED = {
    "python": b"\n\ndef added_by_the_benchmark():\n    return 1\n",
    "javascript": b"\nfunction addedByTheBenchmark() {}\n",
    "typescript": b"\nexport function addedByTheBenchmark() {}\n",
    "java": b"\nclass AddedByTheBenchmark {}\n",
    "csharp": b"\nclass AddedByTheBenchmark {}\n",
}
_QUERIES = 200


def measure(root: Path) -> dict[str, Any]:
    """Cold index on one core and on all, warm start, one-file change, queries and memory of one tree."""
    files = walk(root).files
    size = sum(file.size for file in files)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / root.name
        shutil.copytree(root, copy, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
        bare, bare_cpu = _best(lambda: _parse([copy / file.path for file in files]))
        one, one_cpu = _best(lambda: build(copy, Options(workers=1)))
        many, _ = _best(lambda: build(copy, Options()))
        shared_cpu = _shared_cpu(lambda: build(copy, Options()))
        cached = Options(cache_folder=Path(folder) / "cache")
        build(copy, cached)
        warm, warm_cpu = _best(lambda: build(copy, cached))
        index = build(copy, Options())
        change = statistics.median(_changes(index, copy))
        queries = _queries(index)
        memory = _memory(copy)
    return {
        "files": len(files),
        "megabytes": round(size / 1e6, 2),
        "bare_parse_s": round(bare, 3),
        "cold_one_core_s": round(one, 3),
        "cold_all_cores_s": round(many, 3),
        "warm_s": round(warm, 3),
        "warm_to_cold_one_core_by_cpu": round(warm_cpu / one_cpu, 3),
        "cold_one_core_to_bare_parse": round(one_cpu / bare_cpu, 2),
        "one_core_to_all_cores": round(one / many, 2),
        "one_core_to_all_cores_by_cpu": round(one_cpu / shared_cpu, 2),
        "files_per_s": round(len(files) / many),
        "megabytes_per_s": round(size / 1e6 / many, 1),
        "one_file_change_ms": round(change * 1000, 1),
        "one_file_change_to_cold": round(change / many, 4),
        **queries,
        "peak_megabytes_per_1000_files": round(memory / len(files) * 1000),
    }


def _parse(paths: list[Path]) -> None:
    parsers: dict[str, tree_sitter.Parser] = {}
    for path in paths:
        suffix = languages.suffix_of(path.name)
        if suffix not in parsers:
            language = languages.load(languages.language_of(path.name) or "")
            parsers[suffix] = tree_sitter.Parser(tree_sitter.Language(language.grammars[suffix].language()))
        parsers[suffix].parse(path.read_bytes())


def _best(work: Callable[[], object]) -> tuple[float, float]:
    """(seconds, seconds of this process's CPU): the least of a few rounds. CPU time hardly minds what else the machine
    does."""
    times: list[float] = []
    cpu: list[float] = []
    for _ in range(_ROUNDS):
        gc.collect()
        start, start_cpu = time.perf_counter(), time.process_time()
        work()
        times.append(time.perf_counter() - start)
        cpu.append(time.process_time() - start_cpu)
    return min(times), min(cpu)


def _shared_cpu(work: Callable[[], object]) -> float:
    """The least seconds that the work would take on free cores: the CPU time of this process, and that of its workers
    shared among the cores. Wall time says nothing where others use the cores too."""
    times: list[float] = []
    for _ in range(_ROUNDS):
        start, start_of_workers = time.process_time(), _cpu_of_workers()
        work()
        workers = (_cpu_of_workers() - start_of_workers) / (os.cpu_count() or 1)
        times.append(time.process_time() - start + workers)
    return min(times)


def _cpu_of_workers() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _changes(index: Index, root: Path) -> list[float]:
    """A function added to and taken from twenty modules that others depend on, and the first query after it."""
    times: list[float] = []
    modules = sorted(index.graph.modules, key=lambda m: -len(index.graph.get_dependencies(m).callers))[:20]
    for module in modules:
        path = root / module
        before = path.read_bytes()
        for content in (before + _ADDED[index.graph.modules[module].language], before):
            path.write_bytes(content)
            start = time.perf_counter()
            index.update([module])
            index.graph.get_impacted_modules([module], 1)
            times.append(time.perf_counter() - start)
    return times


def _queries(index: Index) -> dict[str, float]:
    graph = index.graph
    modules = sorted(graph.modules)[:: max(1, len(graph.modules) // _QUERIES)]
    symbols = sorted(graph.symbols)[:: max(1, len(graph.symbols) // _QUERIES)]
    return {
        "closure_p99_ms": _p99([lambda m=m: graph.get_impacted_modules([m]) for m in modules]),
        "endpoints_p99_ms": _p99([lambda m=m: graph.get_endpoints_by_path(f"/{m}") for m in modules]),
        "impact_p99_ms": _p99([lambda s=s: impact_of(graph, [s]) for s in symbols]),
    }


def _p99(asks: list[Callable[[], object]]) -> float:
    times: list[float] = []
    for ask in asks:
        start = time.perf_counter()
        ask()
        times.append(time.perf_counter() - start)
    return round(sorted(times)[int(len(times) * 0.99) - 1] * 1000, 2)


def _memory(root: Path) -> float:
    """Peak megabytes of a process that builds the index, above one that only imports it."""
    program = (
        "import re, sys; from pathlib import Path; from handrail.codegraph.index import build\n"
        "def peak(): return int(re.search(r'VmHWM:\\s+(\\d+)', Path('/proc/self/status').read_text()).group(1))\n"
        "before = peak()\n"
        "index = build(Path(sys.argv[1]))\n"
        "print(peak() - before)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(root)], capture_output=True, text=True, check=True)
    return int(done.stdout) / 1024

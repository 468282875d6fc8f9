"""pytest, and unittest where nothing speaks of pytest."""

from __future__ import annotations

import re
from dataclasses import replace

from handrail.changes.environments.managers.python import files_of_tests, uses_pytest
from handrail.changes.environments.model import TREE, command
from handrail.changes.environments.sources import Sources, folder_of, is_under, joined
from handrail.changes.results.suites.unittest import Reader
from handrail.changes.running.model import INSIDE, MOST_NAMED, OUT, Call, MarkedLines, Runner, Selection

_ROOTS = ("pyproject.toml", "setup.cfg", "setup.py", "pytest.ini", ".pytest.ini", "tox.ini", "requirements.txt")
# a repository's own settings may end a run at its first failure or number its reports otherwise
_FLAGS = ("-p", "handrail_pytest", f"--junitxml={OUT}/pytest.xml", "-o", "junit_family=xunit2", "--maxfail=0")
_PARAMETERS = re.compile(r"\[.*$", re.DOTALL)


def _folders(sources: Sources) -> list[str]:
    """Those that have tests and say that they are a project, without any that lie in one."""
    found: list[str] = []
    for folder in dict.fromkeys(folder_of(path) for path in sources.named(*_ROOTS)):
        if not any(is_under(folder, above) for above in found) and files_of_tests(sources, folder):
            found.append(folder)
    if not found and files_of_tests(sources, ""):
        found.append("")
    return found


def _find_pytest(sources: Sources) -> list[Call]:
    return [
        Call("pytest", "tests", folder, command("python3", "-m", "pytest"), _why(sources, folder))
        for folder in _folders(sources)
        if uses_pytest(sources, folder)
    ]


def _why(sources: Sources, folder: str) -> str:
    named = [name for name in _ROOTS if "pytest" in sources.text(joined(folder, name))]
    return joined(folder, named[0]) if named else files_of_tests(sources, folder)[0]


def _find_unittest(sources: Sources) -> list[Call]:
    found: list[Call] = []
    for folder in _folders(sources):
        tests = files_of_tests(sources, folder)
        if uses_pytest(sources, folder) or not any("unittest" in sources.text(path) for path in tests[:200]):
            continue
        start = folder_of(tests[0]).removeprefix(folder).strip("/")
        # only a package can be discovered from above
        inside = start and not sources.has(joined(folder, f"{start}/__init__.py"))
        where = ("-s", start, "-t", ".") if start and not inside else ("-s", start) if start else ()
        pattern = () if all(path.rpartition("/")[2].startswith("test") for path in tests) else ("-p", "*test*.py")
        call = command("python3", "-m", "unittest", "discover", *where, *pattern)
        found.append(Call("unittest", "tests", folder, call, tests[0]))
    return found


def _select_pytest(call: Call, chosen: Selection, sources: Sources) -> Call | None:
    """By node; by function or file where there are too many."""
    nodes = [node for each in chosen.ids if (node := _node(each, call, sources))]
    if len(nodes) > MOST_NAMED:
        nodes = list(dict.fromkeys(_PARAMETERS.sub("", node) for node in nodes))
    if len(nodes) > MOST_NAMED:
        nodes = list(dict.fromkeys(node.partition("::")[0] for node in nodes))
    files = [
        path for path in chosen.files if path.endswith(".py") and sources.has(path) and is_under(path, call.folder)
    ]
    nodes += [path.removeprefix(call.folder).lstrip("/") for path in files]
    return call.adding(*dict.fromkeys(nodes)) if nodes else None


def _node(name: str, call: Call, sources: Sources) -> str:
    """`tests.test_a.TestB::test_c[1]` of a report is `tests/test_a.py::TestB::test_c[1]`; empty where there is no such
    file."""
    where, _, test = name.partition("::")
    test = re.sub(r" #\d+$", "", test)
    parts = where.split(".") if where else test.split(".")
    for end in range(len(parts), 0, -1):
        path = "/".join(parts[:end]) + ".py"
        if sources.has(joined(call.folder, path)):
            return "::".join([path, *parts[end:], test]) if where else path
    return ""


def _select_unittest(call: Call, chosen: Selection, sources: Sources) -> Call | None:
    """By name; a class or a module that could not be loaded is named by what it is in."""
    names = [re.sub(r" #\d+$", "", each) for each in chosen.ids]
    names = [name.rpartition(".")[2] if name.startswith("unittest.loader.") else name for name in names]
    names += [
        path.removeprefix(call.folder).strip("/").removesuffix(".py").replace("/", ".")
        for path in chosen.files
        if path.endswith(".py") and is_under(path, call.folder)
    ]
    start = _start(call.command.arguments)
    if start:
        names = [name.removeprefix(f"{start.replace('/', '.')}.") for name in names]
    names = list(dict.fromkeys(names))[:MOST_NAMED]
    paths = {"PYTHONPATH": f"{TREE}/{joined(call.folder, start)}"} if start else {}
    run = command("python3", "-m", "unittest", "-v", *names)
    return replace(call, command=run, variables={**call.variables, **paths}) if names else None


def _start(arguments: tuple[str, ...]) -> str:
    """The folder that tests are discovered from, where that is no package."""
    return arguments[arguments.index("-s") + 1] if "-s" in arguments and "-t" not in arguments else ""


def _measured(call: Call, sources: Sources) -> Call | None:
    """Whether there is coverage.py to measure with is found out where it runs."""
    words = call.command.arguments
    words = words[2:] if words[:2] in {("python3", "-m"), ("python", "-m")} else words
    if words[:1] != (call.tool,):
        return None
    run = command("python3", "-m", "handrail_coverage", *words)
    return replace(call, command=run, variables={**call.variables, "HANDRAIL_COVERAGE": _LINES}, coverage=_LINES)


_LINES = f"{OUT}/coverage.json"
PYTEST = Runner(
    *("pytest", _find_pytest, _select_pytest, MarkedLines, _FLAGS, (f"{OUT}/pytest.xml",)), measure=_measured
)
UNITTEST = Runner("unittest", _find_unittest, _select_unittest, Reader, ("-v",), measure=_measured)
PLUGINS = f"{INSIDE}/python"

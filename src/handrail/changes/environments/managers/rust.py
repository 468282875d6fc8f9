"""Cargo: fetching runs nothing; build scripts run with the tests, without network."""

from __future__ import annotations

import re
from collections.abc import Iterator

from handrail.changes.environments.model import Environment, command, hosts_in, place
from handrail.changes.environments.sources import Sources, folder_of, is_under, joined

CRATES = ("https://index.crates.io/", "https://static.crates.io/")
_SOURCE = re.compile(r'(?:source|registry|index) = "(?:registry\+|sparse\+|git\+)?(https://[^"]+)"')
SETTINGS = ("Cargo.toml", "rust-toolchain", "rust-toolchain.toml")


def find(sources: Sources) -> Iterator[Environment]:
    """One for each workspace or package; packages below it belong to it."""
    tops: list[str] = []
    for path in sources.named("Cargo.toml"):
        folder = folder_of(path)
        if not any(is_under(folder, above) for above in tops):
            tops.append(folder)
            yield _environment(sources, folder)


def _environment(sources: Sources, folder: str) -> Environment:
    lock = joined(folder, "Cargo.lock")
    locked = sources.has(lock)
    paths = [*sources.under(folder, *SETTINGS), *([lock] if locked else []), joined(folder, ".cargo/config.toml")]
    files = {path: sources.data(path) for path in paths if sources.has(path)}
    # Cargo refuses a package without a target, and needs no more than that it is there
    for path in [path for path in files if path.endswith("Cargo.toml")]:
        inside = joined(folder_of(path), "src")
        files.update({each: b"" for each in sources.under(inside, "lib.rs", "main.rs") if folder_of(each) == inside})
    home = place("rust", folder)
    needs = bool(re.search(r"^\[.*dependencies", "\n".join(sources.text(path) for path in paths), re.MULTILINE))
    fetch = command("cargo", "fetch", *(("--locked",) if locked else ()), CARGO_HOME=home)
    hosts = hosts_in([*CRATES, *(each for path in paths for each in _SOURCE.findall(sources.text(path)))])
    variables = {"CARGO_NET_OFFLINE": "true", "CARGO_TARGET_DIR": "/tmp/target"}  # noqa: S108
    variables["CARGO_HOME"] = home if needs else "/tmp/cargo"  # noqa: S108
    notes = () if locked or not needs else ("There is no Cargo.lock: today's versions are used.",)
    return Environment(
        *("cargo", "rust", folder, files, (lock,) if locked else ()),
        (fetch,) if needs else (),
        hosts if needs else (),
        variables=variables,
        notes=notes,
    )

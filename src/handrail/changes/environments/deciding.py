"""The environments of a tree: as its own instructions say, else as its files do."""

from __future__ import annotations

from handrail.changes.environments.detecting import Detection, detect
from handrail.changes.environments.instructions import PATH, Instructions, Setup
from handrail.changes.environments.model import TREE, Environment, place
from handrail.changes.environments.sources import Sources, joined


def decide(sources: Sources, instructions: Instructions) -> Detection:
    if not instructions.setups:
        return detect(sources)
    return Detection(tuple(_environment(sources, each) for each in instructions.setups), (f"As {PATH} says.",))


def _environment(sources: Sources, setup: Setup) -> Environment:
    """Its commands are free to run anything, so they are shown as what runs code."""
    files = {path: sources.data(path) for each in setup.files if sources.has(path := joined(setup.folder, each))}
    missing = [each for each in setup.files if not sources.has(joined(setup.folder, each))]
    notes = (f"{PATH} names files that are not there: {', '.join(missing)}.",) if missing else ()
    home = place("custom", setup.folder)
    programs = tuple(f"{home}/{each}" for each in setup.programs) or (f"{home}/bin",)
    variables = {"HANDRAIL_DEPS": home, "HANDRAIL_TREE": TREE}
    return Environment(
        *("custom", "custom", setup.folder, files, ()),
        *(setup.commands, setup.hosts, True, programs, variables, notes),
    )

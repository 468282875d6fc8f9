"""Which sandbox this machine has. Where it has none, nothing is run: there is no way around it."""

from __future__ import annotations

from handrail.core.errors import Misconfigured
from handrail.sandbox import bubblewrap, docker
from handrail.sandbox.running import Sandbox


def choose(image: str | None = None) -> Sandbox:
    """Docker where the operator names an image for it, else bubblewrap; `Misconfigured` says what to install."""
    if image is not None:
        program = docker.find()
        if program is None:
            raise Misconfigured("HANDRAIL_SANDBOX_IMAGE is set, but there is no `docker` on this machine's PATH")
        return Sandbox(docker.Docker(program, image))
    program = bubblewrap.find()
    if program is None:
        raise Misconfigured(
            "commands run only in a sandbox, but bubblewrap is not installed. On Debian: apt install bubblewrap. "
            "Or set HANDRAIL_SANDBOX_IMAGE to a Docker image"
        )
    return Sandbox(bubblewrap.Bubblewrap(program))

"""Why a repository cannot be set up."""

from __future__ import annotations

from handrail.core.errors import Rejected, RunFailed


class BadInstructions(Rejected):
    """.handrail/change.toml cannot be used; the message names the line."""

    code = "bad_change_instructions"


class PreparationFailed(RunFailed):
    """The dependencies could not be installed; `output` has what the package manager said."""

    code = "preparation_failed"


class LayerTooLarge(PreparationFailed):
    """The dependencies take more space than an environment may."""

    code = "layer_too_large"

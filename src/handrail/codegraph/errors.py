"""What can go wrong for a caller of the code graph. A file that cannot be read or parsed is never an error: it is
reported as skipped."""


class CodeGraphError(Exception):
    """The code graph could not answer."""

    code = "codegraph"


class NotADirectory(CodeGraphError):
    """The root of an index must be a readable directory."""

    code = "not_a_directory"


class UnknownNode(CodeGraphError):
    """No module, symbol or endpoint of the graph has this id or name."""

    code = "unknown_node"

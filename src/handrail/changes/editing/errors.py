"""Why an edit is refused. The message goes to the model: it names the value, what was found, and the next step."""

from typing import ClassVar


class Refused(Exception):
    """The edit cannot be made as it is; nothing was changed."""

    code: ClassVar[str] = "refused"

    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(message)


class BadPath(Refused):
    """The path leads out of the repository, or is none."""

    code = "bad_path"


class NoFile(Refused):
    """There is no such file."""

    code = "no_file"


class FileThere(Refused):
    """A file is there already."""

    code = "file_exists"


class NotText(Refused):
    """The file is binary, not UTF-8 or too large."""

    code = "not_text"


class StaleHash(Refused):
    """The file is not what was read."""

    code = "stale_hash"


class NoMatch(Refused):
    """The old text is not in the file."""

    code = "no_match"


class Ambiguous(Refused):
    """The old text, or a name, stands for more than one place."""

    code = "ambiguous"


class NoSymbol(Refused):
    """The file defines no such symbol."""

    code = "no_symbol"


class BadArguments(Refused):
    """The arguments make no edit."""

    code = "bad_arguments"


class BadPatch(Refused):
    """The patch cannot be read."""

    code = "bad_patch"


class DoesNotParse(Refused):
    """The file would no longer parse."""

    code = "does_not_parse"

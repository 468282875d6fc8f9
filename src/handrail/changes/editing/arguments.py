"""What each tool is called with: the schemas that a model gets, and the check of what it sends."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Path = Annotated[str, Field(description="Path from the root of the repository, such as src/app.py")]
Hash = Annotated[str, Field(description="The file's hash, as `read` or the last edit of it gave it")]
Paths = Annotated[list[str], Field(description="Files, folders or globs, such as src/**/*.py")]


class Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Read(Arguments):
    """Show a file, or a symbol or lines of it, with the hash that edits need."""

    path: Path
    symbol: str | None = Field(None, description="Qualified name, such as Cart.total")
    lines: str | None = Field(None, description="Such as 10-40")


class ReplaceText(Arguments):
    """Replace lines. `old` must be in the file in one place only; quote whole lines, some unchanged ones included."""

    path: Path
    hash: Hash
    old: str
    new: str
    within: str | None = Field(None, description="A symbol or lines such as 10-40, where `old` is in several places")


class ReplaceSymbol(Arguments):
    """Replace a whole function, class or constant, decorators included."""

    path: Path
    hash: Hash
    symbol: str = Field(description="Qualified name, such as Cart.total; Cart.total#2 is the second of that name")
    source: str


class Insert(Arguments):
    """Insert lines before or after a symbol or a line."""

    path: Path
    hash: Hash
    text: str
    before: str | None = Field(None, description="A symbol, a line's number, or `start`")
    after: str | None = Field(None, description="A symbol, a line's number, or `end`")


class EnsureImport(Arguments):
    """Add an import at the head of a file, unless it is there."""

    path: Path
    hash: Hash
    statement: str = Field(description="Such as `from decimal import Decimal`")


class Rewrite(Arguments):
    """Rewrite every place that has a pattern's shape. $A stands for one node, $$$ARGS for several."""

    pattern: str = Field(description="Such as `get($A, $$$REST)`")
    replacement: str
    paths: Paths
    expect_count: int = Field(ge=1, description="How many places you expect; any other number is refused")


class Create(Arguments):
    """Create a new file."""

    path: Path
    text: str


class Delete(Arguments):
    """Delete a file."""

    path: Path
    hash: Hash


class Move(Arguments):
    """Move or rename a file."""

    path: Path
    hash: Hash
    to: Path


class ApplyPatch(Arguments):
    """Apply a unified diff to one or several files, all or nothing. Line numbers do not matter; context lines do."""

    patch: str


class Search(Arguments):
    """Find lines that contain a text, or match a regular expression."""

    text: str
    paths: Paths = Field(default=["**"])
    is_regex: bool = False

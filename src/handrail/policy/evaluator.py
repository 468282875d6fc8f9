"""CEL's evaluator alone: its package imports a command line first, a sixth of what a server's start took."""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import cel
else:

    def _extension() -> Any:
        """The package's compiled module, under the name by which the package finds it as well."""
        if (known := sys.modules.get("cel.cel")) is not None:
            return known
        package = find_spec("cel")
        assert package is not None, "a dependency of Handrail"
        found = PathFinder.find_spec("cel.cel", package.submodule_search_locations)
        assert found is not None and found.loader is not None
        module = module_from_spec(found)
        found.loader.exec_module(module)
        sys.modules["cel.cel"] = module
        return module

    cel = _extension()

__all__ = ["cel"]

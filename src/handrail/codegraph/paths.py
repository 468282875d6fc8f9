"""Paths of endpoints with parameters in the notations of the frameworks."""

import re
from functools import lru_cache

_PARAMETER = re.compile(r"\{[^}]*\}|<[^>]*>|\[[^\]]*\]|:\w+")


def serves(path: str, url_path: str) -> bool:
    """Would an endpoint of this path answer a request for `url_path`?"""
    return _matcher(path).fullmatch(url_path) is not None


@lru_cache(maxsize=20_000)
def _matcher(path: str) -> re.Pattern[str]:
    parts: list[str] = []
    end = 0
    for parameter in _PARAMETER.finditer(path):
        parts += [re.escape(path[end : parameter.start()]), _pattern(parameter.group())]
        end = parameter.end()
    return re.compile("".join((*parts, re.escape(path[end:]), "/?")))


def _pattern(parameter: str) -> str:
    """`{rest:path}`, `<path:rest>`, `[...rest]` and `{*rest}` take slashes too."""
    takes_slashes = "path" in parameter or "..." in parameter or "*" in parameter
    return ".+" if takes_slashes else "[^/]+"

"""What a text says once its codes are read: escapes, character numbers, strings put together, base64 and hex.

It goes line by line, so that what is found can be shown in the original.
"""

from __future__ import annotations

import base64
import binascii
import html
import re
from collections.abc import Iterable, Iterator

# encoded text within encoded text, at most so deep
DEEPEST = 3
# an escape, by a byte, in octal, by a code point, in braces; in shells `\0` and three digits too
ESCAPE = re.compile(
    r"\\(?:x([0-9a-fA-F]{2})|u\{0*([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|0?([0-3]?[0-7]{2}))"
)
# of plain letters and digits so many: nobody needs to write them in codes
MOST_SPELLED = 10
# the sign between two strings that makes them one
JOINED = re.compile(r"""(["'])[ \t]*\+[ \t]*\1""")
NUMBER = r"(?:0x[0-9a-fA-F]{1,4}|[0-9]{1,6})"
NUMBERS = re.compile(
    rf"(?:fromCharCode|fromCodePoint|bytes|bytearray|Buffer\.from)\(\s*\[?\s*((?:{NUMBER}\s*,\s*){{3,}}{NUMBER})"
)
CHR = re.compile(rf"chr\(\s*({NUMBER})\s*\)")
ENTITY = re.compile(r"&#x?[0-9a-fA-F]{1,6};")
BASE64 = re.compile(r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{12,}={0,2}(?![A-Za-z0-9+/_=-])")
HEX = re.compile(r"(?<![0-9a-fA-F])(?:[0-9a-fA-F]{2}){10,}(?![0-9a-fA-F])")


def unfolded(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Those of the numbered lines in which there is something to read, with that written out."""
    for number, line in lines:
        plain = _unfolded(line)
        if plain != line:
            yield number, plain


def _unfolded(line: str) -> str:
    for _ in range(DEEPEST):
        plain = _once(line)
        if plain == line:
            break
        line = plain
    return line


def spelled_out(text: str) -> int | None:
    """The line of the first of too many letters and digits that are written as escapes."""
    letters = [found for found in ESCAPE.finditer(text) if _letter(found)]
    return text.count("\n", 0, letters[0].start()) + 1 if len(letters) >= MOST_SPELLED else None


def _letter(found: re.Match[str]) -> bool:
    sign = _sign(found)
    return sign.isascii() and sign.isalnum()


def _once(text: str) -> str:
    text = ESCAPE.sub(_sign, text)
    text = ENTITY.sub(lambda found: _flat(html.unescape(found[0])), text)
    text = NUMBERS.sub(_numbers, text)
    text = CHR.sub(lambda found: repr(_character(_value(found[1]))), text)
    text = JOINED.sub("", text)
    text = BASE64.sub(_from_base64, text)
    return HEX.sub(_from_hex, text)


def _sign(found: re.Match[str]) -> str:
    octal = found[5]
    return _character(int(octal, 8) if octal else int(next(filter(None, found.groups())), 16))


def _character(number: int) -> str:
    return _flat(chr(number)) if number < 0x11_0000 else " "


def _flat(text: str) -> str:
    """On one line, and without what would be taken for a code again."""
    return "".join(sign if sign.isprintable() and sign != "\\" else " " for sign in text)


def _numbers(found: re.Match[str]) -> str:
    return repr("".join(_character(_value(part.strip())) for part in found[1].split(",")))


def _value(number: str) -> int:
    return int(number, 16) if number.startswith("0x") else int(number)


def _from_base64(found: re.Match[str]) -> str:
    word = found[0]
    try:
        content = base64.b64decode(word.replace("-", "+").replace("_", "/") + "=" * (-len(word) % 4), validate=True)
    except binascii.Error:
        return word
    return _text(content) or word


def _from_hex(found: re.Match[str]) -> str:
    return _text(bytes.fromhex(found[0])) or found[0]


def _text(content: bytes) -> str | None:
    """Where it is plain text: a hash or a picture is not."""
    try:
        text = content.decode("ascii")
    except UnicodeDecodeError:
        return None
    return _flat(text) if all(sign.isprintable() or sign in "\r\n\t" for sign in text) else None

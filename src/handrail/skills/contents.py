"""What a file is by its content: text, a picture or the like, or something that a scan cannot read through."""

from __future__ import annotations

import base64
import codecs
import io
import pickle
import pickletools
import re
from pathlib import PurePosixPath

from handrail.core.skills import Finding, Severity

COMPILED = frozenset({".pyc", ".pyo", ".pyd", ".so", ".dll", ".dylib", ".exe", ".jar", ".class", ".wasm", ".node"})
PROGRAMS = (
    *(b"\x7fELF", b"MZ", b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"\xfe\xed\xfa\xcf"),
    *(b"\0asm", b"dex\n", b"\x1bLua", b"!<arch>\n"),
)
# the two bytes after the version of a file that Python has compiled
PYTHON_COMPILED = b"\r\n"
ARCHIVES = frozenset({".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".zst", ".7z", ".rar", ".whl", ".egg", ".npz"})
PACKED = (
    *(b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0", b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07"),
    *(b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18", b"MSCF", b"\x5d\0\0", b"\x78\x9c", b"\x78\xda", b"\x78\x01"),
)
OBJECTS = frozenset({".pkl", ".pickle", ".pck", ".joblib", ".dill", ".pt", ".pth", ".ckpt", ".marshal", ".shelf"})
# those that make or call something when they are loaded
CALLING = frozenset({"GLOBAL", "STACK_GLOBAL", "INST", "OBJ", "NEWOBJ", "NEWOBJ_EX", "REDUCE", "BUILD", "EXT1"})
MEDIA: tuple[tuple[re.Pattern[bytes], frozenset[str]], ...] = (
    (re.compile(rb"\x89PNG\r\n\x1a\n"), frozenset({".png"})),
    (re.compile(rb"\xff\xd8\xff"), frozenset({".jpg", ".jpeg"})),
    (re.compile(rb"GIF8[79]a"), frozenset({".gif"})),
    (re.compile(rb"RIFF....(WEBP|WAVE)", re.DOTALL), frozenset({".webp", ".wav"})),
    (re.compile(rb"BM|\0\0\x01\0|II\*\0|MM\0\*"), frozenset({".bmp", ".ico", ".tif", ".tiff"})),
    (re.compile(rb"\0\x01\0\0|OTTO|true|ttcf|wOFF|wOF2"), frozenset({".ttf", ".otf", ".ttc", ".woff", ".woff2"})),
    (re.compile(rb"ID3|\xff[\xe0-\xff]|OggS|fLaC"), frozenset({".mp3", ".ogg", ".oga", ".flac"})),
    (
        re.compile(rb"....ftyp|\x1a\x45\xdf\xa3", re.DOTALL),
        frozenset({".mp4", ".m4a", ".mov", ".webm", ".mkv", ".avif"}),
    ),
)
MEDIA_ENDINGS = frozenset(ending for _, endings in MEDIA for ending in endings)
# none of these is in a picture or a font by chance
WITHIN = (b"PK\x03\x04", b"\x7fELF", b"#!/bin/", b"#!/usr/", b"<script", b"<?php", b"__import__(", b"subprocess")

# as Python looks for it, in the first two lines
ENCODING = re.compile(r"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
USUAL = re.compile(r"(utf-?8(-sig)?|(us-)?ascii|latin-?1|iso-?8859-1|cp1252)", re.IGNORECASE)
# on one line, or on so many one after the other; beginning where it does, lest each sign be a beginning
LONG_DATA = re.compile(r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{500,}")
WRAPPED, WRAPPED_LINES = re.compile(r"[A-Za-z0-9+/]{60,}"), 8
# a sequence of genes is long, and says nothing to a machine
FEW_SIGNS = 6
PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF", b"wOFF", b"wOF2", b"OTTO")


def is_text(content: bytes) -> bool:
    try:
        return "\0" not in content.decode()
    except UnicodeDecodeError:
        return False


def readable(content: bytes) -> str:
    """The words in it, as an interpreter may take them: of UTF-16 where it says so, else byte by byte."""
    if is_text(content):
        return content.decode()
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", "replace")
    # a shell passes over NUL
    return content.replace(b"\0", b"").decode("latin-1")


def unreadable(path: str, content: bytes) -> Finding | None:
    """Why nobody can read through this file; nothing for text, and for what is a picture, sound or font all through."""
    ending = PurePosixPath(path).suffix.lower()
    what = (
        _program(ending, content) or _objects(ending, content) or _archive(ending, content) or _other(ending, content)
    )
    return Finding(what[0], what[1], what[2], path) if what else None


What = tuple[str, Severity, str]


def _program(ending: str, content: bytes) -> What | None:
    is_python = content[2:4] == PYTHON_COMPILED and not is_text(content)
    if ending in COMPILED or (content.startswith(PROGRAMS) and not is_text(content)) or is_python:
        return "program", "high", "is a compiled program, which no one can read"
    return None


def _objects(ending: str, content: bytes) -> What | None:
    if ending in OBJECTS or is_pickle(content):
        return "pickle", "high", "holds objects that can run code when they are loaded"
    return None


def is_pickle(content: bytes) -> bool:
    """Of any version: the first two are text."""
    called = False
    try:
        for opcode, argument, place in pickletools.genops(io.BytesIO(content)):
            called = called or opcode.name in CALLING
            if opcode.name == "PROTO" and place == 0 and (argument or 0) <= pickle.HIGHEST_PROTOCOL:
                return True
    except Exception:  # whatever it is, it does not load
        return False
    return called


def _archive(ending: str, content: bytes) -> What | None:
    is_tar = content[257:262] == b"ustar"
    if ending in ARCHIVES or is_tar or (content.startswith(PACKED) and not is_text(content)):
        return "archive", "medium", "is an archive, which was not scanned"
    return None


def _other(ending: str, content: bytes) -> What | None:
    if is_text(content):
        return None
    media = any(magic.match(content) and ending in endings for magic, endings in MEDIA)
    if media and any(mark in content for mark in WITHIN):
        return "hidden-data", "high", "has something else hidden inside a picture, sound or font"
    if media:
        return None
    if ending in MEDIA_ENDINGS:
        return "disguised", "high", "is not what its name says"
    return "unreadable", "medium", "is neither text nor a picture, sound or font: the scan cannot read through it"


def odd_encoding(text: str) -> int | None:
    """The line that names an encoding in which the letters mean others, such as rot13 or utf-7."""
    for number, line in enumerate(text.splitlines()[:2], 1):
        named = ENCODING.match(line)
        if named and not USUAL.fullmatch(named[1].replace("_", "-")):
            return number
    return None


def encoded(text: str, *, pictures: bool) -> int | None:
    """The line of the first long stretch of encoded data; pages and styles may have pictures and fonts in them."""
    first, wrapped = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        wrapped = wrapped + 1 if WRAPPED.fullmatch(line) else 0
        first = line if wrapped == 1 else first
        if any(_says_something(found[0], pictures=pictures) for found in LONG_DATA.finditer(line)):
            return number
        if wrapped == WRAPPED_LINES and _says_something(first, pictures=pictures):
            return number + 1 - WRAPPED_LINES
    return None


def _says_something(data: str, *, pictures: bool) -> bool:
    begin = data[:60]
    is_picture = pictures and base64.b64decode(begin).startswith(PICTURES)
    return len(set(data[:300])) > FEW_SIGNS and not is_picture

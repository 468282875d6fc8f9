"""Takes the file of a multipart body, and not a byte more than is allowed."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

from fastapi import Request
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from handrail.core import errors
from handrail.core.sizes import MIB

FIELD = "file"
# the parts' own headers, and small fields that nobody asked for
AROUND = 64 * 1024
# what the OpenAPI document says of such a body
BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": [FIELD],
                    "properties": {FIELD: {"type": "string", "format": "binary"}},
                }
            }
        },
    }
}


async def take(request: Request, largest_mib: int) -> tuple[str, bytes]:
    """The file's name and its content."""
    if not request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
        raise errors.InvalidField(f"send the file as multipart/form-data, in the field `{FIELD}`", field=FIELD)
    largest = largest_mib * MIB
    parser = MultiPartParser(request.headers, _limited(request, largest), max_files=1, max_fields=10)
    try:
        form = await parser.parse()
    except MultiPartException as error:
        raise errors.InvalidField(f"the multipart body cannot be read: {error.message}", field=FIELD) from None
    except (KeyError, ValueError):
        raise errors.InvalidField("the multipart body cannot be read: its headers are malformed", field=FIELD) from None
    try:
        file = form.get(FIELD)
        if not isinstance(file, UploadFile):
            raise errors.MissingField(f"`{FIELD}` is missing: send the file with its name", field=FIELD)
        content = await file.read()
    finally:
        await form.close()
    if len(content) > largest:
        raise _too_large(largest)
    name = (file.filename or "document").replace("\0", "").rpartition("/")[2].rpartition("\\")[2]
    return name[:200] or "document", content


async def _limited(request: Request, largest: int) -> AsyncGenerator[bytes]:
    declared = request.headers.get("content-length", "0")
    if declared.isdecimal() and int(declared[:20]) > largest + AROUND:
        raise _too_large(largest)
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > largest + AROUND:
            raise _too_large(largest)
        yield chunk


def _too_large(largest: int) -> errors.BodyTooLarge:
    return errors.BodyTooLarge(f"the file is larger than {largest // MIB} MiB, the limit of HANDRAIL_UPLOAD_MEGABYTES")

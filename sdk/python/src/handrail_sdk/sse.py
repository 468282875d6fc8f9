"""Server-sent events: bytes as they come in, messages as they are complete."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Message:
    """`event` is "message" where the stream does not say."""

    event: str
    data: str


class Parser:
    """Takes chunks cut anywhere, also within a character or a line end. What is incomplete at the end is dropped.

    `last_id` is the id of the last complete block, also where the block was an id and nothing else.
    """

    def __init__(self, last_id: str = "") -> None:
        self.last_id = last_id
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._rest = ""
        self._after_return = False
        self._id = last_id
        self._event = ""
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> Iterator[Message]:
        for line in self._lines(self._decoder.decode(chunk)):
            message = self._take(line)
            if message is not None:
                yield message

    def _lines(self, text: str) -> list[str]:
        # of "\r\n" the return ends the line at once, so that the last message is never held back for its newline
        if text and self._after_return:
            text = text.removeprefix("\n")
            self._after_return = False
        self._after_return = self._after_return or text.endswith("\r")
        *lines, self._rest = (self._rest + text.replace("\r\n", "\n").replace("\r", "\n")).split("\n")
        return lines

    def _take(self, line: str) -> Message | None:
        if not line:
            return self._dispatch()
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._event = value
        elif name == "id" and "\x00" not in value:
            self._id = value
        return None

    def _dispatch(self) -> Message | None:
        data, event = self._data, self._event or "message"
        self._data, self._event, self.last_id = [], "", self._id
        return Message(event, "\n".join(data)) if data else None

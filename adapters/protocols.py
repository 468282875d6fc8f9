"""What a scripted model reads and says, in the protocol of each provider: one tool call, or a text."""

from __future__ import annotations

import json
from typing import Any, NamedTuple
from uuid import uuid4

Json = dict[str, Any]


class Call(NamedTuple):
    tool: str
    args: Json


Reply = Call | str


# OpenAI's Responses


def responses_results(body: Json) -> list[str]:
    # a first message may be a plain text
    items: list[Json] = [item for item in body.get("input", []) if isinstance(item, dict)]
    return [json.dumps(item.get("output")) for item in items if str(item.get("type")).endswith("_call_output")]


def responses_whole(reply: Reply) -> Json:
    name = uuid4().hex
    if isinstance(reply, Call):
        item: Json = {"type": "function_call", "id": f"fc_{name}", "call_id": f"call_{name}", "status": "completed"}
        item |= {"name": reply.tool, "arguments": json.dumps(reply.args)}
    else:
        content: Json = {"type": "output_text", "text": reply, "annotations": []}
        item = {"type": "message", "role": "assistant", "id": f"msg_{name}", "content": [content]}
        item["status"] = "completed"
    return {
        "id": f"resp_{name}",
        "object": "response",
        "created_at": 1,
        "status": "completed",
        "model": "scripted",
        "output": [item],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": 1,
            "output_tokens": 1,
            "total_tokens": 2,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 0},
        },
    }


def responses_events(whole: Json) -> list[Json]:
    return [
        {"type": "response.created", "response": {**whole, "output": []}},
        {"type": "response.output_item.done", "output_index": 0, "item": whole["output"][0]},
        {"type": "response.completed", "response": whole},
    ]


# OpenAI's chat completions


def chat_results(body: Json) -> list[str]:
    return [json.dumps(message.get("content")) for message in body["messages"] if message.get("role") == "tool"]


def chat_whole(reply: Reply) -> Json:
    name = uuid4().hex
    message: Json = {"role": "assistant", "content": None if isinstance(reply, Call) else reply}
    if isinstance(reply, Call):
        function = {"name": reply.tool, "arguments": json.dumps(reply.args)}
        message["tool_calls"] = [{"index": 0, "id": f"call_{name}", "type": "function", "function": function}]
    stop = "tool_calls" if isinstance(reply, Call) else "stop"
    return {
        "id": f"chatcmpl-{name}",
        "object": "chat.completion",
        "created": 1,
        "model": "scripted",
        "choices": [{"index": 0, "message": message, "finish_reason": stop, "logprobs": None}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


def chat_events(reply: Reply) -> list[Json]:
    whole = chat_whole(reply)
    [choice] = whole["choices"]
    chunk = {**whole, "object": "chat.completion.chunk"}
    begun = {"index": 0, "delta": choice["message"], "finish_reason": None}
    done: Json = {"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}
    return [{**chunk, "choices": [begun], "usage": None}, {**chunk, "choices": [done]}]


# Anthropic's messages


def anthropic_results(body: Json) -> list[str]:
    return [
        json.dumps(block.get("content"))
        for message in body["messages"]
        if isinstance(message.get("content"), list)
        for block in message["content"]
        if block.get("type") == "tool_result"
    ]


def anthropic_whole(reply: Reply) -> Json:
    block: Json = {"type": "text", "text": reply}
    if isinstance(reply, Call):
        block = {"type": "tool_use", "id": f"toolu_{uuid4().hex}", "name": reply.tool, "input": reply.args}
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": [block],
        "stop_reason": "tool_use" if isinstance(reply, Call) else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


def anthropic_events(reply: Reply) -> list[Json]:
    whole = anthropic_whole(reply)
    [block] = whole["content"]
    begun: Json = {**block, "text": ""}
    delta: Json = {"type": "text_delta", "text": block.get("text")}
    if block["type"] == "tool_use":
        begun = {**block, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    stop = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    return [
        {"type": "message_start", "message": {**whole, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": begun},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]


# Google's generateContent


def gemini_results(body: Json) -> list[str]:
    parts = [part for content in body.get("contents", []) for part in content.get("parts", [])]
    return [json.dumps(part["functionResponse"].get("response")) for part in parts if "functionResponse" in part]


def gemini_whole(reply: Reply) -> Json:
    part: Json = {"text": reply}
    if isinstance(reply, Call):
        part = {"functionCall": {"id": f"call_{uuid4().hex}", "name": reply.tool, "args": reply.args}}
    candidate: Json = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "scripted"}

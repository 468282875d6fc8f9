"""JavaScript, and what TypeScript shares with it."""

from functools import partial
from importlib.resources import files

import tree_sitter_javascript

from handrail.codegraph.languages.javascript.extract import extract_as
from handrail.codegraph.languages.javascript.resolve import JavaScriptResolver
from handrail.codegraph.languages.language import Grammar, Language

QUERY = (files(__name__) / "facts.scm").read_text()
JSX = (files(__name__) / "jsx.scm").read_text()
BUILTINS = frozenset(
    {
        "AbortController", "AggregateError", "Array", "ArrayBuffer", "BigInt", "Blob", "Boolean", "Buffer",
        "DataView", "Date", "Error", "EvalError", "Event", "EventSource", "EventTarget", "File", "FormData",
        "Function", "Headers", "Infinity", "Intl", "JSON", "Map", "Math", "MutationObserver", "NaN", "Number",
        "Object", "Promise", "Proxy", "RangeError", "ReferenceError", "Reflect", "RegExp", "Request",
        "Response", "Set", "SharedArrayBuffer", "String", "Symbol", "SyntaxError", "TextDecoder", "TextEncoder",
        "TypeError", "URIError", "URL", "URLSearchParams", "Uint8Array", "WeakMap", "WeakRef", "WeakSet",
        "WebSocket", "Worker", "XMLHttpRequest", "afterAll", "afterEach", "alert", "atob", "beforeAll",
        "beforeEach", "btoa", "cancelAnimationFrame", "clearInterval", "clearTimeout", "confirm", "console",
        "crypto", "decodeURI", "decodeURIComponent", "describe", "document", "encodeURI", "encodeURIComponent",
        "escape", "eval", "expect", "fetch", "global", "globalThis", "history", "isFinite", "isNaN", "it",
        "jest", "localStorage", "location", "navigator", "parseFloat", "parseInt", "performance", "process",
        "prompt", "queueMicrotask", "requestAnimationFrame", "require", "sessionStorage", "setImmediate",
        "setInterval", "setTimeout", "structuredClone", "test", "unescape", "vi", "window",
    }
)  # fmt: skip

LANGUAGE = Language(
    name="javascript",
    grammars={
        suffix: Grammar(tree_sitter_javascript.language, QUERY + JSX) for suffix in (".js", ".jsx", ".mjs", ".cjs")
    },
    extract=partial(extract_as, "javascript"),
    resolver=JavaScriptResolver,
    builtins=BUILTINS,
)

"""Bombs and broken texts: each is refused with a position, and none stops the process."""

from __future__ import annotations

import re

import pytest
from policy_world import SMALL, assessed, policy, problems

from handrail.core.canonical import JsonObject
from handrail.core.risk import Level
from handrail.policy.loading import TRIGGERS

LAUGHS = "a: &a [x, x]\n" + "".join(f"{b}: &{b} [*{a}, *{a}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True))

DOCUMENTS = [
    # YAML bombs
    (LAUGHS, "1:4: file: anchors and aliases are not supported"),
    ("a: &a [*a]\n", "1:4: file: anchors and aliases are not supported"),
    ("triggers: *nothing\n", "1:11: file: anchors and aliases are not supported"),
    ("triggers: *\n", "1:12: file: not YAML: put a pattern that begins with * in quotes"),
    ("<<: {triggers: []}\n", "1:1: <<: unknown field"),
    ("[" * 100_000, "1:1: file: is nested deeper than 8 levels"),
    ("[ " * 60_000, "1:1: file: is nested deeper than 8 levels"),
    ("{a: " * 30_000, "1:30: file: is nested deeper than 8 levels"),
    ("[a, " * 30_000, "1:30: file: is nested deeper than 8 levels"),
    ("- " * 60_000, "1:17: file: is nested deeper than 8 levels"),
    ("? " * 60_000, "1:17: file: is nested deeper than 8 levels"),
    ("".join(f"{' ' * i}a:\n" for i in range(400)), "8:8: file: is nested deeper than 8 levels"),
    ("# " + "x" * 200_000, "1:1: file: the limit is 131072 characters, and this has 200002"),
    ("triggers: [" + "a," * 60_000 + "a]", "1:40006: file: has more than 20000 values"),
    ("triggers: []\n" * 2, "2:1: triggers: given twice, first in line 1"),
    ("a: 1\n---\nb: 2\n", "2:1: file: a file holds one document"),
    # tags would make objects
    ("triggers: !!python/object/apply:os.system [id]\n", "1:11: file: tags are not supported"),
    ("triggers: !!binary aGk=\n", "1:11: file: tags are not supported"),
    ("%TAG ! tag:evil,2026:\n---\ntriggers: !x y\n", "3:11: file: tags are not supported"),
    # not a policy at all
    ("\x00", "1:1: file: not YAML: special characters are not allowed"),
    ("a: b\nc: \x07\n", "2:4: file: not YAML: special characters are not allowed"),
    ('triggers: "\\0"\n', "1:11: file: NUL characters and lone surrogates are not allowed"),
    ('triggers: "\\ud800"\n', "1:11: file: NUL characters and lone surrogates are not allowed"),
    ("triggers:\n\t- a\n", "2:1: file: not YAML: found character '\\t'"),
    ("triggers: 'open\n", "2:1: file: not YAML: found unexpected end of stream"),
    ("triggers: {a: b\n", "2:1: file: not YAML: expected ',' or '}'"),
    ("%YAML 9.9\n---\na: b\n", "1:1: file: not YAML: found incompatible YAML document"),
    ("just text\n", "1:1: file: must be a mapping"),
    ("- a\n", "1:1: file: must be a mapping"),
    ("[a]: b\n", "1:1: file: a key must be a word"),
    ("triggers: " + "9" * 100_000 + "\n", "1:11: triggers: must be a list"),
]


@pytest.mark.parametrize(("text", "complaint"), DOCUMENTS, ids=[complaint for _, complaint in DOCUMENTS])
def test_a_hostile_document_is_refused_at_its_place(text: str, complaint: str) -> None:
    found = problems({**SMALL, TRIGGERS: text})

    assert found[0].startswith(f"{TRIGGERS}:{complaint}")
    assert len(found[0]) < 500


COLUMN = len("  - {id: a, level: high, condition: ")

CONDITIONS = [
    # loops over data
    ("task.list.exists(x, x > 1)", 10, "`exists` loops over data"),
    ("task.list.all(x, x.all(y, y > 1))", 10, "`all` loops over data"),
    ("size(task.list.map(x, [x, x])) > 1", 15, "`map` loops over data"),
    ("size(task.list.filter(x, true)) > 1", 15, "`filter` loops over data"),
    ("task.list.exists_one (x, true)", 10, "`exists_one` loops over data"),
    # length and depth
    ("task.a == 1 || " * 100 + "true", 1000, "a condition can have at most 1000 characters; this one has 1504"),
    ("1" + "+1" * 400 + " > 1", 200, "a condition has at most 200 words and symbols"),
    ("(" * 400 + "true" + ")" * 400, 200, "a condition has at most 200 words and symbols"),
    ("(" * 30 + "true" + ")" * 30, 16, "a condition is at most 16 levels deep"),
    ("([" * 15 + "])" * 15 + " == []", 16, "a condition is at most 16 levels deep"),
    ("!" * 60 + "true", 16, "a condition is at most 16 levels deep"),
    # patterns that cost, or come from the data
    ("task.a.matches(task.b)", 7, "the pattern of `matches` must be written out"),
    ("task.a.matches('x' + task.b)", 7, "the pattern of `matches` must be written out"),
    ("matches(task.a, 'x')", 0, "the pattern of `matches` must be written out"),
    ("task.a.matches('((a{100}){100}){100}')", 15, "a pattern with `{` takes too long"),
    ("task.a.matches('\\\\w+')", 15, "a pattern with `\\w` takes too long"),
    ("task.a.matches('\\x5cw+')", 15, "a pattern with `\\w` takes too long"),
    ("task.a.matches(r'\\p{L}')", 15, "a pattern with `\\p` takes too long"),
    (f"task.a.matches('{'x' * 101}')", 15, "a pattern with more than 100 characters takes too long"),
    ("task.a.matches('(')", 15, "not a pattern"),
    # what is not there
    ("system('id')", 0, "there is no function `system`"),
    ("task.a.b.c.eval()", 11, "there is no function `eval`"),
    ("cel.bind(x, task, x)", 0, "there is no `cel`"),
    ("env.HOME == ''", 0, "there is no `env`"),
    (".task.a == 1", 0, "a dot must follow a name"),
    ("task.`a` == 1", 5, "'`' is not allowed in a condition"),
    ("{'a': 1}.a == 1", 0, "'{' is not allowed in a condition"),
    ("task.ä == 1", 5, "'ä' is not allowed in a condition"),
    ("b'x' == b'x'", 0, "there is no `b`"),
    # not CEL
    ("task.a = 1", 7, "'=' is not allowed in a condition"),
    ("task.a == 1 &&", 14, "not a CEL expression"),
    ("task.a == 'open", 10, "is not allowed in a condition"),
    ("task..a == 1", 5, "a dot must follow a name"),
    ("has(task)", 4, "not a CEL expression: invalid argument to has()"),
    ("99999999999999999999 == 1", 0, "not a CEL expression"),
    ("   ", 0, "the condition is empty"),
]


@pytest.mark.parametrize(("condition", "offset", "complaint"), CONDITIONS, ids=[row[2] for row in CONDITIONS])
def test_a_hostile_condition_is_refused_at_its_place(condition: str, offset: int, complaint: str) -> None:
    quoted = '"' + condition.replace("\\", "\\\\").replace('"', '\\"') + '"'
    text = f"triggers:\n  - {{id: a, level: high, condition: {quoted}}}\n"
    shift = 1 + offset if quoted[1:-1] == condition else 0  # within a text with escapes the place is that of its start

    [found] = problems({**SMALL, TRIGGERS: text})

    assert found.startswith(f"{TRIGGERS}:2:{COLUMN + shift + 1}: triggers[0].condition: ")
    assert complaint in found


@pytest.mark.parametrize(
    "condition",
    [
        "true ? 1 : " * 30 + "2 == 2",
        "task[" * 15 + "task.a" + "]" * 15 + " == 1",
        "task" + ".a" * 90 + " == 1",
        "size(string(" * 7 + "1" + "))" * 7 + " == 1",
        "-9223372036854775808 / -1 == 1",
        "task.text.matches('(x+x+)+y')",
        "task.text.matches('(((x*)*)*)*y')",
        "task.text.contains(task.text + task.text)",
    ],
)
def test_what_is_taken_ends_whatever_the_values_are(condition: str) -> None:
    rules = policy(rules=[f"{{id: r, level: critical, condition: {condition!r}}}"])

    tasks: list[JsonObject] = [
        {},
        {"a": 1, "text": "x" * 60_000},
        {"a": {"a": {}}, "text": [str(i) for i in range(3000)]},
        {"text": "x" * 900_000},
    ]
    assert all(assessed(rules, task).level.rank >= Level.medium.rank for task in tasks)


def test_many_mistakes_are_told_up_to_a_hundred() -> None:
    text = "triggers:\n" + "".join(f"  - {{id: t{i}, level: bad, operation: x}}\n" for i in range(500))

    found = problems({**SMALL, TRIGGERS: text})

    assert len(found) == 100
    assert all(re.match(rf"{TRIGGERS}:\d+:\d+: ", problem) for problem in found)


def test_an_unknown_name_in_a_problem_is_cut_short() -> None:
    found = problems({**SMALL, TRIGGERS: f"{'x' * 900}: 1\n"})

    assert len(found[0]) < 200


def test_a_policy_of_costly_patterns_is_cut_off() -> None:
    pattern = "(?i)" + "k" * 90
    rules = policy(
        rules=[f"{{id: r{i}, level: low, condition: \"task.a.matches('{pattern}') || {i} < 0\"}}" for i in range(200)]
    )

    found = assessed(rules, {"a": "x"})

    assert found.level is Level.high
    assert sum(rule.reason.endswith("take too long on these values") for rule in found.rules) > 100

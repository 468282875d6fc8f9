"""Tools as a model calls them: anything may be sent, and an answer always comes."""

from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from changes_world import GATE, Workshop
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from handrail.changes.editing.desk import Edit
from handrail.changes.editing.errors import Refused
from handrail.changes.editing.toolbox import EDITS, LOOKS, Toolbox, schemas

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
NAMES = [
    "path",
    "hash",
    "old",
    "new",
    "within",
    "symbol",
    "source",
    "text",
    "before",
    "after",
    "patch",
    "paths",
    "lines",
    "to",
]


@pytest.mark.parametrize(
    ("name", "given_", "says"),
    [
        ("rm", {}, "There is no tool 'rm'"),
        ("read", {}, "`path`: Field required"),
        ("read", {"path": 3}, "`path`: Input should be a valid string"),
        ("read", {"path": "a.py", "mode": "x"}, "`mode`: Extra inputs are not permitted"),
        ("replace_text", {"path": "a.py", "old": "x", "new": "y"}, "`hash`: Field required"),
    ],
)
def test_a_call_that_is_no_call_is_answered(workshop: Workshop, name: str, given_: dict[str, Any], says: str) -> None:
    workshop.put("a.py", "x = 1\n")
    answer = workshop.toolbox.call(name, given_)
    assert answer.code == "bad_arguments"
    assert says in answer.text


def test_every_tool_has_a_schema_that_providers_take() -> None:
    found = schemas()
    assert {each["name"] for each in found} == {*LOOKS, *EDITS}
    for each in found:
        assert each["description"]
        assert each["parameters"]["additionalProperties"] is False
        jsonschema_rs.meta.validate(each["parameters"])


def test_an_edit_outside_what_is_allowed_is_refused(workshop: Workshop) -> None:
    def allow(edit: Edit) -> None:
        if not edit.path.startswith("src/"):
            raise Refused(f"{edit.path} is not in the plan.")

    toolbox = Toolbox(workshop.tree, GATE, allow)
    assert toolbox.call("create", {"path": "ci.yml", "text": "x"}).text == "ci.yml is not in the plan."
    assert workshop.snapshot() == {}
    assert toolbox.call("create", {"path": "src/a.txt", "text": "x"}).code == ""


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150, deadline=None)
@given(
    st.sampled_from([*LOOKS, *EDITS]),
    st.dictionaries(
        st.sampled_from(NAMES), st.one_of(JSON, st.sampled_from(["a.txt", "**", "1-2", "x\n", "../b", "f"]))
    ),
)
def test_whatever_is_sent_an_answer_comes_and_nothing_outside_changes(
    tmp_path: Path, name: str, arguments: dict[str, Any]
) -> None:
    (tmp_path / "inside").mkdir(exist_ok=True)
    workshop = Workshop(tmp_path / "inside")
    workshop.put("a.txt", "x\ny\n")
    answer = workshop.toolbox.call(name, arguments)
    assert answer.text
    assert [path.name for path in tmp_path.iterdir()] == ["inside"]

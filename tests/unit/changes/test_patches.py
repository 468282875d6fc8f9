"""Patches over several files: each hunk where its lines are, all or none."""

from pathlib import Path

import pytest
from changes_world import GATE, Workshop

from handrail.changes.editing.desk import apply
from handrail.changes.editing.tools.apply_patch import apply_patch
from handrail.changes.editing.trees import File, Folder

APP = "import os\n\n\ndef one():\n    x = 1\n    return x\n\n\ndef two():\n    x = 2\n    return x\n"

UNIFIED = """\
diff --git a/app.py b/app.py
index 123..456 100644
--- a/app.py
+++ b/app.py
@@ -400,3 +400,4 @@ def nothing
 def one():
-    x = 1
+    x = 10
+    y = 1
     return x
@@ -1,2 +1,2 @@
 def two():
-    x = 2
+    x = 20
--- /dev/null
+++ b/new/file.py
@@ -0,0 +1,2 @@
+a = 1
+b = 2
--- a/old.py
+++ /dev/null
@@ -1 +0,0 @@
-gone = True
diff --git a/names.txt b/people.txt
similarity index 100%
rename from names.txt
rename to people.txt
"""

MARKED = """\
*** Begin Patch
*** Update File: app.py
@@ def one():
-    x = 1
+    x = 10
+    y = 1
     return x
@@
 def two():
-    x = 2
+    x = 20
*** Add File: new/file.py
+a = 1
+b = 2
*** Delete File: old.py
*** Update File: names.txt
*** Move to: people.txt
*** End Patch
"""


@pytest.fixture
def shop(workshop: Workshop) -> Workshop:
    workshop.put("app.py", APP)
    workshop.put("old.py", "gone = True\n")
    workshop.put("names.txt", "Ada\n")
    return workshop


@pytest.mark.parametrize("patch", [UNIFIED, MARKED])
def test_both_forms_create_update_delete_and_move(shop: Workshop, patch: str) -> None:
    answer = shop.done("apply_patch", patch=patch)
    changed = APP.replace("x = 1", "x = 10\n    y = 1").replace("x = 2", "x = 20")
    assert shop.snapshot() == {"app.py": changed.encode(), "new/file.py": b"a = 1\nb = 2\n", "people.txt": b"Ada\n"}
    assert {edited.path for edited in answer.edited} == {"app.py", "new/file.py", "old.py", "people.txt", "names.txt"}


def test_a_header_that_names_a_symbol_decides_between_places(shop: Workshop) -> None:
    hunk = "     return x\n-    pass\n"
    shop.put("app.py", APP.replace("return x", "return x\n    pass"))
    patch = f"*** Update File: app.py\n@@ def two():\n{hunk}"
    shop.done("apply_patch", patch=patch)
    assert shop.text("app.py").endswith("    x = 2\n    return x\n")
    assert shop.text("app.py").count("pass") == 1


@pytest.mark.parametrize(
    ("patch", "code", "says"),
    [
        pytest.param("hello", "bad_patch", "names no file", id="prose"),
        pytest.param("", "bad_patch", "names no file", id="nothing"),
        pytest.param("--- a/app.py\n+++ b/app.py\n", "bad_patch", "no hunk", id="no hunk"),
        pytest.param("--- a/app.py\n+++ b/app.py\n@@\n+x = 3\n", "bad_patch", "only adds lines", id="no context"),
        pytest.param("--- a/app.py\n+++ b/app.py\n@@\n import os\n", "bad_patch", "changes nothing", id="no change"),
        pytest.param("--- a/app.py\n+++ b/app.py\n@@\nimport os\n-x\n", "bad_patch", "has no sign", id="no sign"),
        pytest.param("--- a/app.py\n+++ b/app.py\n@@\n-    return x\n", "ambiguous", "`two`", id="two places"),
        pytest.param("--- a/app.py\n+++ b/app.py\n@@\n-import sys\n", "no_match", "`import os`", id="no place"),
        pytest.param("--- a/gone.py\n+++ b/gone.py\n@@\n-x\n+y\n", "no_file", "no file gone.py", id="no file"),
        pytest.param("--- /dev/null\n+++ b/app.py\n@@\n+x\n", "file_exists", "exists already", id="exists"),
        pytest.param("--- a/../x\n+++ b/../x\n@@\n-x\n+y\n", "bad_path", "..", id="outside"),
        pytest.param("*** Update File: app.py\n*** Move to: old.py\n", "file_exists", "old.py", id="move onto a file"),
        pytest.param("*** Delete File: old.py\n*** Delete File: old.py\n", "bad_arguments", "twice", id="twice"),
        pytest.param(
            "--- a/app.py\n+++ b/app.py\n@@\n-import os\n+import sys\n@@\n-import os\n+import re\n", "bad_patch",
            "Two hunks of app.py change line 1", id="two hunks on one line",
        ),
        pytest.param("--- a/a.png\n+++ b/a.png\nGIT binary patch\n", "bad_patch", "binary", id="binary"),
    ],
)  # fmt: skip
def test_what_cannot_be_applied_is_refused_with_its_reason(shop: Workshop, patch: str, code: str, says: str) -> None:
    answer = shop.refused("apply_patch", patch=patch)
    assert (answer.code, says in answer.text) == (code, True), answer


def test_one_bad_hunk_of_a_last_file_leaves_the_first_untouched(shop: Workshop) -> None:
    good = "--- a/app.py\n+++ b/app.py\n@@\n-import os\n+import sys\n--- a/old.py\n+++ b/old.py\n@@\n"
    assert shop.refused("apply_patch", patch=f"{good}-absent\n+x\n").code == "no_match"
    broken = f"{good}-gone = True\n+gone = (\n"
    assert shop.refused("apply_patch", patch=broken).code == "does_not_parse"


def test_a_comment_of_two_dashes_is_no_heading(workshop: Workshop) -> None:
    workshop.put("a.sql", "select 1;\n-- old note\nselect 2;\n")
    workshop.done(
        "apply_patch", patch="--- a/a.sql\n+++ b/a.sql\n@@\n select 1;\n--- old note\n+-- new note\n select 2;\n"
    )
    assert workshop.text("a.sql") == "select 1;\n-- new note\nselect 2;\n"


class FullDisk(Folder):
    """A folder whose disk is full from the second write on."""

    writes = 0

    def write(self, path: str, file: File) -> None:
        self.writes += 1
        if self.writes == 2:
            raise OSError(28, "No space left on device")
        super().write(path, file)


def test_a_write_that_fails_half_way_takes_back_the_others(shop: Workshop) -> None:
    before = shop.snapshot()
    tree = FullDisk(shop.root)
    edits = apply_patch(tree, UNIFIED)
    with pytest.raises(OSError, match="No space"):
        apply(tree, edits, GATE)
    assert shop.snapshot() == before


def test_a_file_that_somebody_changed_meanwhile_is_not_overwritten(shop: Workshop) -> None:
    edits = apply_patch(shop.tree, UNIFIED)
    shop.put("names.txt", "Grace\n")
    before = shop.snapshot()
    with pytest.raises(Exception, match=r"names\.txt was changed"):
        apply(shop.tree, edits, GATE)
    assert shop.snapshot() == before


def test_an_edit_that_is_not_allowed_stops_all(shop: Workshop, tmp_path: Path) -> None:
    def allow(edit: object) -> None:
        raise PermissionError(edit)

    before = shop.snapshot()
    with pytest.raises(PermissionError):
        apply(shop.tree, apply_patch(shop.tree, UNIFIED), GATE, allow)
    assert shop.snapshot() == before

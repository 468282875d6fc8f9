"""The scripts of the example skills do what their texts promise, in the sandbox."""

from __future__ import annotations

import json
from pathlib import Path

from handrail.sandbox import Result, choose

SKILLS = Path(__file__).parents[3] / "examples" / "skills"
LOG = b"""2026-11-14 02:10:00 INFO config reloaded
2026-11-14 02:10:05 ERROR connection to 10.0.0.5 refused
2026-11-14 02:10:09 ERROR connection to 10.0.0.6 refused
2026-11-14 09:00:00 ERROR disk 3 is full
"""


async def run(skill: str, script: str, *arguments: str, **files: bytes) -> Result:
    code = (SKILLS / skill / "scripts" / script).read_bytes()
    given = {name.replace("_", "."): content for name, content in files.items()}
    result = await choose().run(["python3", f"scripts/{script}", *arguments], {f"scripts/{script}": code, **given})
    assert result.succeeded, result.stderr
    return result


async def test_compound_interest() -> None:
    result = await run("compound-interest", "interest.py", "--principal", "10000", "--rate", "4", "--years", "20")
    figures = json.loads(result.stdout)
    assert (figures["final"], figures["interest"], figures["table"][0]["balance"]) == (
        "21911.23",
        "11911.23",
        "10400.00",
    )


async def test_csv_report() -> None:
    table = b"city,people\nA,10\nB,\nC,30\n"
    result = await run("csv-report", "report.py", "data.csv", data_csv=table)
    assert "| people | number | 1 | 10 \u2026 30 | 20 | 20 | 14.1421 |" in result.files["report.md"].decode()
    assert result.files["chart.svg"].startswith(b"<svg")


async def test_log_investigator() -> None:
    overview = await run("log-investigator", "investigate.py", "app.log", "--overview", app_log=LOG)
    assert b"2026-11-14T02:00  2 errors" in overview.stdout
    window = await run("log-investigator", "investigate.py", "app.log", "--to", "2026-11-14T03", app_log=LOG)
    said = window.stdout.decode()
    assert "2 \u00d7 ERROR connection to \u2026 refused" in said and "config reloaded" in said and "disk" not in said


async def test_text_statistics() -> None:
    figures = json.loads((await run("text-statistics", "count.py", "t.txt", t_txt=b"We go. They stay here.")).stdout)
    assert (figures["words"], figures["sentences"], figures["flesch_score"] > 90) == (5, 2, True)


async def test_json_diff() -> None:
    result = await run(
        "json-diff", "diff.py", "a.json", "b.json", a_json=b'{"x": 1, "y": [1]}', b_json=b'{"y": [2], "z": 0}'
    )
    assert result.stdout.decode().splitlines() == ["removed $.x: 1", "changed $.y[0]: 1 \u2192 2", "added $.z: 0"]

"""Reports as files: HTML as it is, and PDF as a browser on this machine prints it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from handrail.cli.exits import Exit, Failure

VARIABLE = "HANDRAIL_BROWSER"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
PRINT_SECONDS = 120


def write(file: Path, content: bytes) -> None:
    try:
        with file.open("xb") as new:
            new.write(content)
    except OSError as error:
        raise Failure(Exit.usage, f"{file} cannot be written: {error}") from error


def printed(html: str) -> bytes:
    """The page as PDF. The browser gets a profile that is thrown away, and a page without scripts."""
    program = _browser()
    with tempfile.TemporaryDirectory(prefix="handrail-report-") as name:
        folder = Path(name)
        (folder / "report.html").write_text(html, "utf-8")
        # the browser's own sandbox refuses root
        alone = ["--no-sandbox"] if os.geteuid() == 0 else []
        command = [
            program,
            "--headless=new",
            *alone,
            "--disable-gpu",
            "--no-first-run",
            f"--user-data-dir={folder / 'profile'}",
            "--no-pdf-header-footer",
            f"--print-to-pdf={folder / 'report.pdf'}",
            (folder / "report.html").as_uri(),
        ]
        try:
            ran = subprocess.run(command, capture_output=True, timeout=PRINT_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            raise Failure(Exit.refused, f"The browser {program} did not print within {PRINT_SECONDS} s.") from None
        made = folder / "report.pdf"
        if not made.exists():
            said = ran.stderr.decode(errors="replace").strip()[-500:]
            raise Failure(Exit.refused, f"The browser {program} failed to print: {said}")
        return made.read_bytes()


def _browser() -> str:
    named = os.environ.get(VARIABLE)
    found = next((path for name in ([named] if named else BROWSERS) if (path := shutil.which(name))), None)
    if found is None:
        raise Failure(
            Exit.usage,
            f"A PDF needs Chromium or Chrome on this machine ({VARIABLE} names one). Or write --html and print that.",
        )
    return found

"""A report on a CSV file: each column's type, gaps and statistics, and one numeric column as an SVG chart."""

from __future__ import annotations

import argparse
import csv
import html
import statistics
from pathlib import Path

WIDTH, HEIGHT, MARGIN = 640, 240, 30


def number(text: str) -> float | None:
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def read(path: Path) -> dict[str, list[str]]:
    text = path.read_text(encoding="utf-8-sig", errors="replace")
    try:
        dialect: type[csv.Dialect] = csv.Sniffer().sniff(text[:4096], ",;\t|")
    except csv.Error:
        dialect = csv.excel
    head, *rows = csv.reader(text.splitlines(), dialect)
    return {name or f"column {n + 1}": [row[n] if n < len(row) else "" for row in rows] for n, name in enumerate(head)}


def numeric(cells: list[str]) -> list[float] | None:
    """The column's numbers, where all that is not empty is one."""
    filled = [cell for cell in cells if cell.strip()]
    numbers = [number(cell) for cell in filled]
    return [n for n in numbers if n is not None] if filled and None not in numbers else None


def described(name: str, cells: list[str]) -> str:
    empty = sum(not cell.strip() for cell in cells)
    numbers = numeric(cells)
    if numbers is None:
        return f"| {name} | text | {empty} | {len(set(cells))} different | | | |"
    spread = statistics.stdev(numbers) if len(numbers) > 1 else 0.0
    figures = (min(numbers), statistics.median(numbers), statistics.fmean(numbers), max(numbers), spread)
    low, middle, mean, high, deviation = (f"{figure:.6g}" for figure in figures)
    return f"| {name} | number | {empty} | {low} … {high} | {middle} | {mean} | {deviation} |"


def chart(name: str, numbers: list[float]) -> str:
    low, high = min(numbers), max(numbers)
    span = high - low or 1.0
    step = (WIDTH - 2 * MARGIN) / max(1, len(numbers) - 1)
    points = " ".join(
        f"{MARGIN + n * step:.1f},{HEIGHT - MARGIN - (value - low) / span * (HEIGHT - 2 * MARGIN):.1f}"
        for n, value in enumerate(numbers)
    )
    title = html.escape(f"{name}: {low:g} to {high:g}, {len(numbers)} values")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"><title>{title}</title>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/><polyline points="{points}" fill="none" '
        f'stroke="#2563eb" stroke-width="2"/><text x="{MARGIN}" y="18" font-size="14">{title}</text></svg>\n'
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("file", type=Path)
    options.add_argument("--column")
    given = options.parse_args()
    columns = read(given.file)
    drawable = [name for name, cells in columns.items() if numeric(cells)]
    chosen = given.column or (drawable[0] if drawable else None)
    if chosen is not None and chosen not in drawable:
        options.error(f"{chosen!r} is not a numeric column; there are: {', '.join(drawable) or 'none'}")
    rows = max(map(len, columns.values()), default=0)
    head = "| column | type | empty | range | median | mean | deviation |\n| --- | --- | --: | --- | --: | --: | --: |"
    lines = [f"# {given.file.name}", "", f"{rows} rows, {len(columns)} columns.", "", head]
    lines += [described(name, cells) for name, cells in columns.items()]
    if chosen is not None:
        Path("chart.svg").write_text(chart(chosen, numeric(columns[chosen]) or []))
        lines += ["", f"![{chosen}](chart.svg)"]
    Path("report.md").write_text("\n".join(lines) + "\n")
    print(f"columns: {', '.join(columns)}\nnumeric: {', '.join(drawable) or 'none'}\ndrawn: {chosen}")


main()

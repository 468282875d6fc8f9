"""Small real PDFs, written by hand."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pypdf


def text(x: float, y: float, words: str, size: float = 11) -> str:
    return f"BT /F1 {size} Tf {x} {y} Td ({words}) Tj ET\n"


def grid(x: float, y: float, rows: Sequence[Sequence[str]], width: float = 120, height: float = 20) -> str:
    """A ruled table whose upper left corner is there."""
    right, low = x + width * len(rows[0]), y - height * len(rows)
    lines = [f"{x} {y - height * n} m {right} {y - height * n} l S\n" for n in range(len(rows) + 1)]
    lines += [f"{x + width * n} {y} m {x + width * n} {low} l S\n" for n in range(len(rows[0]) + 1)]
    cells = [
        text(x + width * column + 5, y - height * (row + 1) + 6, cell)
        for row, each in enumerate(rows)
        for column, cell in enumerate(each)
    ]
    return "".join((*lines, *cells))


def image(x: float, y: float) -> str:
    return f"q 40 0 0 30 {x} {y} cm /Im1 Do Q\n"


def pdf(pages: Sequence[str], title: str = "A report") -> bytes:
    """Each page is what is drawn on it."""
    kids = " ".join(f"{6 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        _stream(
            b"/Type /XObject /Subtype /Image /Width 2 /Height 3 /ColorSpace /DeviceGray /BitsPerComponent 8", b"abcdef"
        ),
        f"<< /Title ({title}) /Author (Ann) >>".encode(),
    ]
    for number, drawn in enumerate(pages):
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {7 + 2 * number} 0 R "
            "/Resources << /Font << /F1 3 0 R >> /XObject << /Im1 4 0 R >> >> >>".encode(),
            _stream(b"", drawn.encode("latin-1")),
        ]
    return _file(objects)


def with_content(entries: bytes, content: bytes) -> bytes:
    """One page that is drawn by a stream with these entries."""
    return _file(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>",
            _stream(entries, content),
            b"<< /Title (A bomb) >>",
        ]
    )


def _stream(entries: bytes, content: bytes) -> bytes:
    return b"<< %s /Length %d >>\nstream\n%s\nendstream" % (entries, len(content), content)


def _file(objects: Sequence[bytes]) -> bytes:
    out, places = bytearray(b"%PDF-1.7\n"), list[int]()
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    return bytes(out) + b"trailer << /Size %d /Root 1 0 R /Info 5 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        table,
    )


def encrypted(content: bytes, password: str) -> bytes:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(content))
    writer.encrypt(password, algorithm="RC4-128")
    target = io.BytesIO()
    writer.write(target)
    return target.getvalue()


REPORT = pdf(
    [
        text(72, 720, "Quarterly report", 22)
        + text(72, 690, "Sales of billing went up, and the new market-")
        + text(72, 676, "ing paid off in all regions.")
        + text(72, 640, "A second paragraph stands further down.")
        + grid(72, 600, [["Region", "Sales"], ["North", "120"], ["South", "95"]])
        + image(72, 480),
        text(72, 720, "Outlook", 16) + text(72, 690, "The pumps of the harbour need new valves next year."),
    ]
)

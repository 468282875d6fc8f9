/** A plot to take away: its numbers as CSV, its picture as PNG. */

export type Exported = (string | number | null)[];

// a spreadsheet would run what begins like this
const FORMULA = /^[=+\-@\t\r]/;

function field(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csv(head: readonly string[], rows: readonly Exported[]): string {
  return [[...head], ...rows].map((row) => row.map(field).join(",")).join("\r\n") + "\r\n";
}

export function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export function saveCsv(head: readonly string[], rows: readonly Exported[], name: string): void {
  // the mark tells spreadsheets that it is UTF-8
  save(new Blob(["\uFEFF", csv(head, rows)], { type: "text/csv;charset=utf-8" }), `${name}.csv`);
}

const KEPT = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "fill-opacity", "font-size", "font-weight", "text-anchor"];
const MARGIN = 16;
const TITLE = 28;

/** The picture with its looks as attributes: on its own it has no style sheet. */
export function standalone(svg: SVGSVGElement, title: string): { text: string; width: number; height: number } {
  const width = Number(svg.getAttribute("width")) + 2 * MARGIN;
  const height = Number(svg.getAttribute("height")) + 2 * MARGIN + TITLE;
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const from = [svg, ...svg.querySelectorAll("*")];
  const to = [copy, ...copy.querySelectorAll("*")];
  for (const [index, element] of from.entries()) {
    const look = getComputedStyle(element);
    for (const name of KEPT) {
      const value = look.getPropertyValue(name);
      if (value) to[index]?.setAttribute(name, value);
    }
    to[index]?.removeAttribute("class");
  }
  copy.setAttribute("x", String(MARGIN));
  copy.setAttribute("y", String(MARGIN + TITLE));
  const root = getComputedStyle(document.documentElement);
  const colour = (name: string) => root.getPropertyValue(name).trim() || "#888";
  const words = document.createElementNS("http://www.w3.org/2000/svg", "text");
  words.textContent = title;
  const attributes = { x: MARGIN, y: MARGIN + 14, fill: colour("--ink"), "font-size": "15", "font-weight": "600", "font-family": "sans-serif" };
  for (const [name, value] of Object.entries(attributes)) words.setAttribute(name, String(value));
  const serializer = new XMLSerializer();
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif"><rect width="100%" height="100%" fill="${colour("--panel")}"/>${serializer.serializeToString(words)}${serializer.serializeToString(copy)}</svg>`;
  return { text, width, height };
}

// for screens with more points than their size says
const SHARPNESS = 2;

export async function savePng(svg: SVGSVGElement, title: string, name: string): Promise<void> {
  const { text, width, height } = standalone(svg, title);
  const image = new Image(width, height);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width * SHARPNESS;
  canvas.height = height * SHARPNESS;
  const context = canvas.getContext("2d");
  context?.scale(SHARPNESS, SHARPNESS);
  context?.drawImage(image, 0, 0);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (blob) save(blob, `${name}.png`);
}

/** What a browser says of itself, in words: "Firefox on Windows". */

const PROGRAMS: [RegExp, string][] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/\bpython-httpx\//, "Command line or script"],
];
const SYSTEMS: [RegExp, string][] = [
  [/\b(?:iPhone|iPad)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

export function browserName(said: string | null): string {
  const named = (known: [RegExp, string][]) => known.find(([pattern]) => pattern.test(said ?? ""))?.[1];
  const program = named(PROGRAMS) ?? "Unknown browser";
  const system = named(SYSTEMS);
  return system ? `${program} on ${system}` : program;
}

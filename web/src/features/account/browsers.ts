/** What a browser says of itself, in words: "Firefox on Windows". */
import { TEXTS } from "@/features/account/texts";

const WORDS = TEXTS.browsers;

const PROGRAMS: [RegExp, string][] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/\bpython-httpx\//, WORDS.commandLineOrScript],
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
  const program = named(PROGRAMS) ?? WORDS.unknownBrowser;
  const system = named(SYSTEMS);
  return system ? WORDS.on(program, system) : program;
}

import { expect, test } from "vitest";
import { parseSearch, stringifySearch, text } from "@/lib/address";

/** What the address says of `text`. */
function read(search: string): string | undefined {
  const found: Record<string, unknown> = parseSearch(search);
  return text(found["text"]);
}

test.each(["12345e67", "007", "1.50", "12345678901234567890", "2024", "true story", '"quoted"', "-0"])("%s comes back as it was typed", (word) => {
  expect(read(`?text=${encodeURIComponent(word)}`)).toBe(word === '"quoted"' ? "quoted" : word);
  expect(read(stringifySearch({ text: word }))).toBe(word);
});

test("numbers and switches are what they were", () => {
  const said = { version: 3, group: true, text: "3" };
  expect(parseSearch(stringifySearch(said))).toEqual(said);
});

test.each([undefined, "", true, null, {}])("%o is no word", (given) => {
  expect(text(given)).toBeUndefined();
});

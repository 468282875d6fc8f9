import { expect, test } from "vitest";
import { csv } from "@/components/plots/export";

test("commas, quotes and line ends stay within their field", () => {
  expect(csv(["name", "count"], [['a "b", c\nd', 3], ["plain", null]])).toBe('name,count\r\n"a ""b"", c\nd",3\r\nplain,\r\n');
});

test("a name that a spreadsheet would run is only text", () => {
  for (const name of ["=HYPERLINK(1)", "+1", "-1", "@sum", "\tx"]) {
    expect(csv(["name"], [[name]]).split("\r\n")[1]).toMatch(/^"?'/);
  }
  expect(csv(["n"], [[-1]])).toBe("n\r\n-1\r\n");
});

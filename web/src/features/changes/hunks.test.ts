import { expect, test } from "vitest";
import { isLeftOut, toggled } from "@/features/changes/hunks";

test("hunks are left out one by one, and all of them are the file", () => {
  const one = toggled([], "a.py", "h1", ["h1", "h2"]);
  expect(one).toEqual([{ path: "a.py", hunks: ["h1"] }]);
  const all = toggled(one, "a.py", "h2", ["h1", "h2"]);
  expect(all).toEqual([{ path: "a.py", hunks: [] }]);
  expect(isLeftOut(all, "a.py", "h1")).toBe(true);
  expect(toggled(all, "a.py", "h1", ["h1", "h2"])).toEqual([{ path: "a.py", hunks: ["h2"] }]);
  expect(toggled(all, "a.py", null, ["h1", "h2"])).toEqual([]);
});

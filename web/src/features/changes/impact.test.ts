import { expect, test } from "vitest";
import { pictured, spoken } from "@/features/changes/impact";
import type { Impact } from "@/features/changes/model";

const IMPACT: Impact = {
  facts: {},
  files: ["shop/money.py", "tests/test_new.py"],
  callers: [],
  endpoints: ["GET /cart"],
  tests: [{ id: "tests/test_cart.py::Cart.test", depth: 2 }],
  migrations: [],
  owners: {},
  risk: [],
  unread: [],
  diagram: `flowchart LR
  n0["shop/money.py"]
  n1["shop/cart.py"]
  n3{{"GET /cart"}}
  subgraph sn2["tests/test_cart.py"]
    n2("Cart.test #quot;x#quot;")
  end
  n1 --> n0
  n2 --> n1
  n2 -.->|tests| n1
  n3 ==> n1
  more["and 2 more"]
`,
};

test("modules stand in columns by how far they are from what changes, symbols within their module", () => {
  const picture = pictured(IMPACT);
  expect(picture?.nodes.map((node) => [node.id, node.kind, node.x > 1])).toEqual([
    ["shop/money.py", "changed", false],
    ["tests/test_new.py", "new", false],
    ["shop/cart.py", "reached", true],
    ["GET /cart", "endpoint", true],
    ["tests/test_cart.py", "test", true],
  ]);
  expect(picture?.edges).toHaveLength(3);
});

test("the picture has words", () => {
  const picture = pictured(IMPACT);
  expect(picture && spoken(picture)).toBe(
    "Changes shop/money.py, tests/test_new.py; shop/cart.py uses shop/money.py; tests/test_cart.py tests shop/cart.py; GET /cart uses shop/cart.py; and 2 more.",
  );
});

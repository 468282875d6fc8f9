import { expect, test } from "vitest";
import type { Chart } from "@/components/mermaid/chart";
import { planned } from "@/components/mermaid/layout";
import { read } from "@/components/mermaid/reading";

function chart(text: string): Chart {
  const found = read(text);
  if (found?.is !== "chart") throw new Error(`not a chart: ${text}`);
  return found.chart;
}

const ends = (text: string) => chart(text).lines.map(({ from, to, label, stroke, tail, head }) => [from, to, label, stroke, tail, head]);

test("the code graph's own flowchart: modules, symbols in their module, endpoints and labelled lines", () => {
  const found = chart(`flowchart LR
  n0["shop/money.py"]
  n3{{"GET /cart"}}
  n4[("prices")]
  subgraph sn2["tests/test_cart.py"]
    n2("Cart.test #quot;x#quot; #60;y#62;")
  end
  n2 -.->|tests| n0
  n3 ==> n0
  n0 --> n4
  more["and 2 more"]
`);
  expect([...found.boxes.values()].map(({ id, title, shape, group }) => [id, title, shape, group])).toEqual([
    ["n0", "shop/money.py", "box", null],
    ["n3", "GET /cart", "hexagon", null],
    ["n4", "prices", "store", null],
    ["n2", 'Cart.test "x" <y>', "round", "sn2"],
    ["more", "and 2 more", "box", null],
  ]);
  expect(found.groups.get("sn2")?.title).toBe("tests/test_cart.py");
  expect(found.lines.map(({ from, to, label, stroke }) => [from, to, label, stroke])).toEqual([
    ["n2", "n0", "tests", "dashed"],
    ["n3", "n0", "", "thick"],
    ["n0", "n4", "", "solid"],
  ]);
});

test("a flowchart as models write them: chains, several at once, words on lines, all heads", () => {
  expect(
    ends(`graph TD
    A[Start] --> B{"Is it; so?"} -- yes --> C & D
    B -. no .-> E((x)); E --x F
    F <--> G o--o H
    G --- H == twice ==> A
    style A fill:#f9f
    %% a remark
`),
  ).toEqual([
    ["A", "B", "", "solid", "none", "arrow"],
    ["B", "C", "yes", "solid", "none", "arrow"],
    ["B", "D", "yes", "solid", "none", "arrow"],
    ["B", "E", "no", "dashed", "none", "arrow"],
    ["E", "F", "", "solid", "none", "cross"],
    ["F", "G", "", "solid", "arrow", "arrow"],
    ["G", "H", "", "solid", "circle", "circle"],
    ["G", "H", "", "solid", "none", "none"],
    ["H", "A", "twice", "thick", "none", "arrow"],
  ]);
});

test("a line to a group leads to what is in it, also before the group is told", () => {
  const found = chart("flowchart TB\n  a --> api\n  subgraph api [The API]\n    b --> c\n  end");
  expect(found.anchored().map(({ from, to }) => [from, to])).toEqual([
    ["a", "b"],
    ["b", "c"],
  ]);
  expect(planned(found).groups.map((group) => group.title)).toEqual(["The API"]);
});

test("classes have members, and lines that say how they belong together", () => {
  const found = chart(`classDiagram
  class c0["Shop.Cart"] {
    +total()
    +items
  }
  class c1
  c1 : +int price
  c0 --|> c1
  c0 "1" *-- "many" Item : holds
  Item ..> c1
  note for c1 "of money"
`);
  expect(found.boxes.get("c0")).toMatchObject({ title: "Shop.Cart", rows: ["+total()", "+items"] });
  expect(found.boxes.get("c1")?.rows).toEqual(["+int price"]);
  expect(found.lines.map(({ label, stroke, tail, head }) => [label, stroke, tail, head])).toEqual([
    ["", "solid", "none", "triangle"],
    ["holds, 1 to many", "solid", "filled", "none"],
    ["", "dashed", "none", "arrow"],
    ["", "dashed", "none", "none"],
  ]);
});

test("states begin and end, and have states within", () => {
  const found = chart(`stateDiagram-v2
  [*] --> pending: opened
  pending --> done
  state done {
    [*] --> kept
    kept --> [*]
  }
  state "Waits long" as pending
  done --> [*]
`);
  expect([...found.boxes.values()].map(({ title, shape, group }) => [title, shape, group])).toEqual([
    ["", "start", null],
    ["Waits long", "round", null],
    ["", "start", "done"],
    ["kept", "round", "done"],
    ["", "end", "done"],
    ["", "end", null],
  ]);
  expect(planned(found).lines).toHaveLength(5);
});

test("tables and mind maps", () => {
  const tables = chart('erDiagram\n  CUSTOMER ||--o{ ORDER : places\n  ORDER {\n    int id PK "the key"\n  }');
  expect(tables.lines[0]?.label).toBe("places, 1 to 0..n");
  expect(tables.boxes.get("ORDER")?.rows).toEqual(['int id PK "the key"']);
  const map = chart("mindmap\n  root((shop))\n    money\n      cents\n    cart\n");
  expect(map.lines.map(({ from, to }) => [map.boxes.get(from)?.title, map.boxes.get(to)?.title])).toEqual([
    ["shop", "money"],
    ["money", "cents"],
    ["shop", "cart"],
  ]);
});

test("a sequence: who, in which order, within which frame", () => {
  const found = read(`sequenceDiagram
  participant B as Browser
  B->>+Server: POST /api/changes
  alt allowed
    Server-->>-B: 201
  else
    Server--xB: 403
  end
  Note over B,Server: the end
`);
  expect(found?.is === "sequence" && [[...found.sequence.people.values()], found.sequence.entries]).toEqual([
    ["Browser", "Server"],
    [
      { is: "message", from: "B", to: "Server", text: "POST /api/changes", dashed: false, head: "arrow" },
      { is: "open", text: "alt allowed" },
      { is: "message", from: "Server", to: "B", text: "201", dashed: true, head: "arrow" },
      { is: "branch", text: "else" },
      { is: "message", from: "Server", to: "B", text: "403", dashed: true, head: "cross" },
      { is: "close" },
      { is: "note", over: ["B", "Server"], side: "over", text: "the end" },
    ],
  ]);
});

test.each([
  "flowchart LR\n  a --> b\n  click a callback",
  "flowchart LR\n  a ?? b",
  "flowchart LR\n  a[never closed --> b",
  "classDiagram\n  A <=> B",
  "sequenceDiagram\n  loop for ever\n  A->>B: x",
  "gantt\n  title no",
  "flowchart LR",
  "",
])("what is not known is not drawn by halves: %j", (text) => {
  expect(read(text)).toBeNull();
});

test("a diagram of thousands is not laid out", () => {
  const text = `flowchart LR\n${Array.from({ length: 5000 }, (_, n) => `a${n} --> a${n + 1}`).join("\n")}`;
  expect(read(text)).toBeNull();
});

test.each(["a", "-", '"', "a--", "A -- x", "a : ", "a & ", "[(", "((", "a. "])("a hostile row costs no time: %j", (piece) => {
  const began = performance.now();
  for (const kind of ["flowchart LR", "classDiagram", "stateDiagram-v2", "erDiagram", "mindmap", "sequenceDiagram"]) {
    for (const length of [900, 19_000]) read(`${kind}\n${piece.repeat(length / piece.length)}`);
    read(`${kind}\n${`${piece.repeat(900 / piece.length)}\n`.repeat(20)}`);
  }
  expect(performance.now() - began).toBeLessThan(1_500);
});

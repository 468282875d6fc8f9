import { expect, test } from "vitest";
import { likenessOf } from "@/features/inbox/likeness";
import { aHold } from "@/lib/samples";

const remove = (target: string, args: Record<string, unknown>) => aHold({ action: { name: "delete_tenant", args, target } });

test("what all share is said once, and what differs of each", () => {
  const [acme, brix] = [remove("acme", { backup: true, rows: 4 }), remove("brix", { backup: true, rows: 9 })];
  const found = likenessOf([acme, brix]);
  expect(found?.common).toEqual({ backup: true });
  expect(found?.differing).toEqual(["target", "rows"]);
  expect(found?.of(brix)).toEqual({ target: "brix", backup: true, rows: 9 });
});

test("what only some have differs", () => {
  expect(likenessOf([remove("a", { force: true }), remove("a", {})])?.differing).toEqual(["force"]);
});

test("an argument cannot pass for the target", () => {
  expect(likenessOf([remove("prod", { target: "test" }), remove("prod", { target: "test" })])?.common).toEqual({ target: "prod", "target (argument)": "test" });
});

test("different actions are not alike", () => {
  expect(likenessOf([remove("a", {}), aHold()])).toBeNull();
  expect(likenessOf([remove("a", {})])).toBeNull();
});

import { expect, test } from "vitest";
import { keysIn } from "@/features/audit/keys";

const PEM = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----\n";
const RAW = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";

test("every key of the file is read, and nothing that is none", () => {
  expect(keysIn(PEM + PEM)).toEqual([RAW, RAW]);
  expect(keysIn("")).toEqual([]);
  expect(keysIn(PEM.replace("MCow", "MCox"))).toEqual([]);
  expect(keysIn("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----")).toEqual([]);
});

import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Entry } from "@/lib/events";
import { dispatcher } from "@/lib/live";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function entry(seq: number, type: Entry["type"]): Entry {
  return { seq, type, at: "", actor: null, hold_id: null, run_id: null, case_id: null, kind: null, data: {} } as Entry;
}

test("events that come together are handled together, by those who want them", () => {
  const holds = vi.fn<(entries: Entry[]) => void>();
  const brakes = vi.fn<(entries: Entry[]) => void>();
  const take = dispatcher([{ "hold.": holds }, { "brake.": brakes }], new QueryClient());
  take(entry(1, "hold.opened"));
  take(entry(2, "hold.decided"));
  expect(holds).not.toHaveBeenCalled();
  vi.runAllTimers();
  expect(holds).toHaveBeenCalledOnce();
  expect(holds.mock.calls[0]?.[0].map((one) => one.seq)).toEqual([1, 2]);
  expect(brakes).not.toHaveBeenCalled();
});

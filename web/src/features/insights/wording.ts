/** Figures in words and places, apart from how they look. */
import type { Insights } from "@/lib/insights";
import { dates } from "@/lib/locale";

/** The fewest people who together gave at least half of the reviews. */
export function carriers(people: Insights["people"]): string[] {
  const all = people.reduce((sum, one) => sum + one.reviews, 0);
  const names: string[] = [];
  let sum = 0;
  for (const one of [...people].sort((a, b) => b.reviews - a.reviews)) {
    if (sum * 2 >= all) break;
    sum += one.reviews;
    names.push(one.person.name);
  }
  return names;
}

/** How a slot of time is called: by its hour where slots are hours, else by its day. */
export function slotNames(slots: readonly { since: string; until: string }[]): { brief: string; long: string }[] {
  const hourly = slots[0] !== undefined && Date.parse(slots[0].until) - Date.parse(slots[0].since) < 2 * 3_600_000;
  const brief = dates(hourly ? { hour: "numeric", minute: "2-digit" } : { day: "numeric", month: "short" });
  const long = dates(hourly ? { dateStyle: "medium", timeStyle: "short" } : { dateStyle: "medium" });
  return slots.map((slot) => ({ brief: brief.format(new Date(slot.since)), long: long.format(new Date(slot.since)) }));
}

/** Two texts as a unified diff, by the shortest way from one to the other (Myers, 1986). */

type Step = [sign: " " | "-" | "+", line: string];

function steps(before: string[], after: string[]): Step[] {
  const [n, m] = [before.length, after.length];
  const trails: Map<number, number>[] = [];
  let reach = new Map([[1, 0]]);
  for (let d = 0; d <= n + m; d += 1) {
    trails.push(new Map(reach));
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && (reach.get(k - 1) ?? 0) < (reach.get(k + 1) ?? 0));
      let x = down ? (reach.get(k + 1) ?? 0) : (reach.get(k - 1) ?? 0) + 1;
      while (x < n && x - k < m && before[x] === after[x - k]) x += 1;
      reach.set(k, x);
      if (x >= n && x - k >= m) return traced(before, after, trails);
    }
    reach = new Map(reach);
  }
  return [];
}

function traced(before: string[], after: string[], trails: Map<number, number>[]): Step[] {
  const found: Step[] = [];
  let [x, y] = [before.length, after.length];
  for (let d = trails.length - 1; d >= 0; d -= 1) {
    const reach = trails[d] ?? new Map<number, number>();
    const k = x - y;
    const down = k === -d || (k !== d && (reach.get(k - 1) ?? 0) < (reach.get(k + 1) ?? 0));
    const from = down ? k + 1 : k - 1;
    const startX = d === 0 ? 0 : (reach.get(from) ?? 0);
    const startY = d === 0 ? 0 : startX - from;
    while (x > startX && y > startY) {
      x -= 1;
      y -= 1;
      found.push([" ", before[x] ?? ""]);
    }
    if (d === 0) break;
    if (down) found.push(["+", after[(y -= 1)] ?? ""]);
    else found.push(["-", before[(x -= 1)] ?? ""]);
  }
  return found.reverse();
}

const AROUND = 3;

/** Empty where they are the same. */
export function unified(name: string, before: string, after: string): string {
  if (before === after) return "";
  const all = steps(before.split("\n"), after.split("\n"));
  const near = all.map((_, index) => all.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(([sign]) => sign !== " "));
  const out = [`--- ${name}`, `+++ ${name}`];
  let [old, now] = [1, 1];
  for (let index = 0; index < all.length; ) {
    if (!near[index]) {
      old += 1;
      now += 1;
      index += 1;
      continue;
    }
    const hunk: Step[] = [];
    while (index < all.length && near[index]) hunk.push(all[index++] ?? [" ", ""]);
    const lines = (sign: string) => hunk.filter(([one]) => one !== sign).length;
    out.push(`@@ -${old},${lines("+")} +${now},${lines("-")} @@`, ...hunk.map(([sign, line]) => sign + line));
    old += lines("+");
    now += lines("-");
  }
  return out.join("\n");
}

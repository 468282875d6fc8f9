/** What fits what was typed: every word must be in it; a beginning counts more than a middle. */

export interface Choice {
  id: string;
  /** Under which heading. */
  group: string;
  label: string;
  /** Also found by these. */
  also?: string;
  /** At the end of the line. */
  note?: string;
  run: () => void;
}

const plain = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

export function score(choice: Pick<Choice, "label" | "also">, typed: string): number {
  const words = plain(typed).split(/\s+/).filter(Boolean);
  const label = plain(choice.label);
  const also = plain(choice.also ?? "");
  let sum = 1;
  for (const word of words) {
    if (label.startsWith(word)) sum += 8;
    else if (label.split(/[\s_./:-]+/).some((part) => part.startsWith(word))) sum += 4;
    else if (label.includes(word)) sum += 2;
    else if (also.includes(word)) sum += 1;
    else return 0;
  }
  return sum;
}

// of each group, so that none hides the others
const MOST = 6;

/** Best first within each group; groups in the order in which they were given. */
export function matching(choices: readonly Choice[], typed: string): Choice[] {
  const groups = [...new Set(choices.map((one) => one.group))];
  return groups.flatMap((group) =>
    choices
      .filter((one) => one.group === group)
      .map((one) => [one, score(one, typed)] as const)
      .filter(([, points]) => points > 0)
      .sort((a, b) => b[1] - a[1])
      .slice(0, MOST)
      .map(([one]) => one),
  );
}

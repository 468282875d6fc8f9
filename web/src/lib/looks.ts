/** What a text looks like. Apart from what reads it: that is loaded where it is needed. */

export function looksLikeDiff(text: string): boolean {
  return /^(diff --git |--- \S)/m.test(text) && /^@@ /m.test(text);
}

/** Whether a text uses any of it: one that does not is shown as it is. */
export function looksLikeMarkdown(text: string): boolean {
  return /^#{1,6}\s+\S|^\s*([-*+]|\d+[.)])\s+\S.*\n|^(`{3,}|~{3,})|^>\s|\*\*\S.*\S?\*\*|`[^`\n]+`|\[[^\]\n]+\]\(https?:|^\|.*\|\s*\n\s*\|?\s*:?-+/m.test(text);
}

/** The repository of an issue whose address stands in a text; nothing where there is none. */
const ISSUE = /\bhttps:\/\/([\w.-]+)\/([\w.-]+(?:\/[\w.-]+)+?)(?:\/-)?\/(?:issues|pull|merge_requests|work_items)\/\d+/;

export function issueIn(text: string): string | null {
  const found = ISSUE.exec(text);
  return found ? `https://${found[1] ?? ""}/${found[2] ?? ""}` : null;
}

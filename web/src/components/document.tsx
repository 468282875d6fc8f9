/** Markdown of others as the server made HTML of it: with the few tags that it lets through, and no attribute that acts. */
export function Document({ html }: { html: string }) {
  return <div className="document break-words" dangerouslySetInnerHTML={{ __html: html }} />;
}

/** The API to read: every operation by its subject, from the server's own document. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Tree } from "@/components/json";
import { Input } from "@/components/ui/field";
import { TEXTS } from "@/features/docs/texts";
import { cn } from "@/lib/cn";

const WORDS = TEXTS.docsPage;

interface Operation {
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema?: { description?: string } }[];
  requestBody?: { content?: Record<string, { schema?: Schema }> };
  responses?: Record<string, { description?: string; content?: Record<string, { schema?: Schema }> }>;
}
interface Schema {
  $ref?: string;
  examples?: unknown[];
}
interface Api {
  info: { title: string; version: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

export function DocsPage() {
  const api = useQuery({
    queryKey: ["openapi"],
    queryFn: async () => (await (await fetch("/openapi.json")).json()) as Api,
    staleTime: "static",
  });
  const [sought, setSought] = useState("");
  if (!api.data) return <p className="p-8 text-ink-3">{api.isError ? WORDS.apisDocumentCannotBeRead : WORDS.loading}</p>;
  const { info, tags, paths, components } = api.data;
  const all = Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })));
  const shown = all.filter((one) => `${one.method} ${one.path} ${one.operation.summary ?? ""}`.toLowerCase().includes(sought.toLowerCase()));
  return (
    <main className="h-dvh overflow-y-auto">
      <div className="mx-auto max-w-3xl space-y-8 px-4 py-8 sm:px-8">
        <header className="space-y-3">
          <h1 className="text-xl font-semibold">
            {WORDS.api(info.title)} <span className="text-sm font-normal text-ink-3">{info.version}</span>
          </h1>
          {info.description.split("\n\n").map((paragraph) => (
            <p key={paragraph} className="text-ink-2">
              <Prose text={paragraph} />
            </p>
          ))}
          <p className="flex gap-4">
            <a className="text-accent underline" href="/openapi.json">
              {WORDS.openapi}
            </a>
            <a className="text-accent underline" href="/">
              {WORDS.inbox}
            </a>
          </p>
          <Input aria-label={WORDS.findARoute} placeholder={WORDS.findARoute} value={sought} onChange={(event) => setSought(event.target.value)} />
        </header>
        {shown.length === 0 ? <p className="text-ink-2">{WORDS.noRouteMatches(sought)}</p> : null}
        {tags.map((tag) => {
          const own = shown.filter((one) => one.operation.tags?.[0] === tag.name);
          if (own.length === 0) return null;
          return (
            <section key={tag.name} aria-label={tag.name} className="space-y-2">
              <h2 className="font-semibold first-letter:uppercase">{tag.name}</h2>
              <p className="text-ink-3">
                <Prose text={tag.description} />
              </p>
              <ul className="divide-y divide-line rounded-lg border border-line">
                {own.map((one) => (
                  <li key={one.method + one.path}>
                    <Route {...one} schemas={components.schemas} />
                  </li>
                ))}
              </ul>
            </section>
          );
        })}
      </div>
    </main>
  );
}

function Route({ path, method, operation, schemas }: { path: string; method: string; operation: Operation; schemas: Record<string, Schema> }) {
  const good = Object.entries(operation.responses ?? {}).find(([status]) => status.startsWith("2"));
  return (
    <details className="px-4 py-2">
      <summary className="cursor-pointer">
        <code className={cn("font-medium", method === "get" ? "text-accent" : "text-high")}>{method.toUpperCase()}</code>{" "}
        <code className="break-all">{path}</code>
        <span className="block pl-4 text-ink-2">{operation.summary}</span>
      </summary>
      <div className="space-y-3 py-3 pl-4 text-ink-2">
        {operation.description ? (
          <p>
            <Prose text={operation.description} />
          </p>
        ) : null}
        {operation.parameters?.length ? (
          <dl className="text-xs">
            {operation.parameters.map((one) => (
              <div key={one.in + one.name} className="flex flex-wrap gap-x-3">
                <dt>
                  <code>{one.name}</code>
                </dt>
                <dd className="text-ink-3">
                  {one.in}
                  {one.required ? WORDS.required : ""}
                  {one.description ? (
                    <>
                      : <Prose text={one.description} />
                    </>
                  ) : null}
                </dd>
              </div>
            ))}
          </dl>
        ) : null}
        <Example title={WORDS.request} of={exampleOf(operation.requestBody?.content, schemas)} />
        <Example title={WORDS.answer(good?.[0] ?? "")} of={exampleOf(good?.[1].content, schemas)} />
      </div>
    </details>
  );
}

/** A line of the document's Markdown: `code` and *emphasis* are all that it has. */
function Prose({ text }: { text: string }) {
  return text.split(/(`[^`]+`|\*[^*\s][^*]*\*)/).map((part, index) => {
    if (index % 2 === 0) return part;
    return part.startsWith("`") ? <code key={index}>{part.slice(1, -1)}</code> : <em key={index}>{part.slice(1, -1)}</em>;
  });
}

function Example({ title, of }: { title: string; of: unknown }) {
  if (of === undefined) return null;
  return (
    <div className="space-y-1">
      <p className="text-xs text-ink-3">{WORDS.forExample(title)}</p>
      <div className="rounded-lg bg-sunken px-3 py-2">
        <Tree of={of} />
      </div>
    </div>
  );
}

function exampleOf(content: Record<string, { schema?: Schema }> | undefined, schemas: Record<string, Schema>): unknown {
  const schema = Object.values(content ?? {})[0]?.schema;
  return schemas[schema?.$ref?.replace("#/components/schemas/", "") ?? ""]?.examples?.[0];
}

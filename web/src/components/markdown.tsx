/** Markdown of others, drawn from plain values: no HTML, no pictures from elsewhere, links that say where they lead. */
import { Fragment, Suspense, useMemo, type ReactNode } from "react";
import { TEXTS } from "@/components/texts";
import { Waiting } from "@/components/ui/waiting";
import { lazy } from "@/lib/lazy";
import { blocksOf, type Block, type Inline } from "@/lib/markdown";

const WORDS = TEXTS.markdown;

// only where there is a diagram
const Diagram = lazy(() => import("@/components/mermaid/Diagram"));

export default function Markdown({ text }: { text: string }) {
  const blocks = useMemo(() => blocksOf(text), [text]);
  return (
    <div className="document min-w-0 break-words">
      <Blocks of={blocks} />
    </div>
  );
}

function Blocks({ of }: { of: Block[] }) {
  return of.map((block, index) => <Drawn key={index} block={block} />);
}

function Drawn({ block }: { block: Block }): ReactNode {
  switch (block.is) {
    case "heading":
      // only looks like one: a text of others has no place in the page's own outline
      return (
        <p className={block.level < 3 ? "text-base font-semibold" : "font-semibold"}>
          <Inlines of={block.of} />
        </p>
      );
    case "paragraph":
      return (
        <p className="whitespace-pre-line">
          <Inlines of={block.of} />
        </p>
      );
    case "code":
      return block.language === "mermaid" ? (
        <Suspense fallback={<Waiting what={WORDS.theDiagram} />}>
          <Diagram text={block.text} />
        </Suspense>
      ) : (
        <pre tabIndex={0} aria-label={WORDS.code} className="text-xs leading-5">
          {block.text}
        </pre>
      );
    case "quote":
      return (
        <blockquote>
          <Blocks of={block.of} />
        </blockquote>
      );
    case "list": {
      const List = block.ordered ? "ol" : "ul";
      return (
        <List>
          {block.items.map((item, index) => (
            <li key={index}>
              {item.done === null ? null : <input type="checkbox" className="mr-2" checked={item.done} disabled aria-label={item.done ? WORDS.done : WORDS.notDone} />}
              <Item of={item.of} />
            </li>
          ))}
        </List>
      );
    }
    case "table":
      return (
        <table>
          <thead>
            <tr>
              {block.head.map((cell, index) => (
                <th key={index} scope="col">
                  <Inlines of={cell} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {block.rows.map((row, index) => (
              <tr key={index}>
                {row.map((cell, at) => (
                  <td key={at}>
                    <Inlines of={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      );
    case "line":
      return <hr className="border-line" />;
  }
}

/** The first paragraph of an item stands beside its mark. */
function Item({ of: [first, ...rest] }: { of: Block[] }) {
  if (first?.is !== "paragraph") return <Blocks of={first ? [first, ...rest] : rest} />;
  return (
    <>
      <Inlines of={first.of} />
      <Blocks of={rest} />
    </>
  );
}

function Inlines({ of }: { of: Inline[] }) {
  return of.map((one, index) => <Fragment key={index}>{inline(one)}</Fragment>);
}

function inline(one: Inline): ReactNode {
  switch (one.is) {
    case "text":
      return one.text;
    case "code":
      return <code>{one.text}</code>;
    case "strong":
      return (
        <strong>
          <Inlines of={one.of} />
        </strong>
      );
    case "em":
      return (
        <em>
          <Inlines of={one.of} />
        </em>
      );
    case "del":
      return (
        <del>
          <Inlines of={one.of} />
        </del>
      );
    case "link":
      return (
        <>
          <a href={one.to} target="_blank" rel="noopener noreferrer nofollow" title={one.to}>
            <Inlines of={one.of} />
          </a>
          {isBare(one) ? null : <span className="text-ink-3"> ({hostOf(one.to)})</span>}
        </>
      );
  }
}

function isBare(link: Extract<Inline, { is: "link" }>): boolean {
  return link.of.length === 1 && link.of[0]?.is === "text" && link.of[0].text === link.to;
}

function hostOf(address: string): string {
  try {
    return new URL(address).host;
  } catch {
    return "unreadable address";
  }
}

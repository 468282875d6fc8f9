/** What has happened in the run, in order, and what its models are saying now. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bot, Check, CircleHelp, CornerDownRight, FilePen, Flag, Hand, ShieldCheck, Wrench, X, Zap, type LucideIcon } from "lucide-react";
import { memo, useState, type ReactNode } from "react";
import { DiffText } from "@/components/diff";
import { Tree, Value } from "@/components/json";
import { Button } from "@/components/ui/button";
import { Ago } from "@/components/ui/time";
import { Holding } from "@/components/holding";
import { TEXTS } from "@/components/texts";
import type { Part, Piece, Saying, Story } from "@/lib/story";
import { holdQuery } from "@/lib/holds";
import { cn } from "@/lib/cn";
import { line, plain, value } from "@/lib/format";

const WORDS = TEXTS.timeline;

// of a run that went on and on, the newest come first
const MOST = 200;

export function Timeline({ story }: { story: Story }) {
  const [all, setAll] = useState(false);
  const left = all ? 0 : Math.max(0, story.parts.length - MOST);
  return (
    <>
      {left > 0 ? (
        <Button size="sm" onClick={() => setAll(true)}>
          {WORDS.earlier(left)}
        </Button>
      ) : null}
      <ol aria-label={WORDS.whatHappened} className="relative before:absolute before:top-2 before:bottom-2 before:left-3 before:w-px before:bg-line">
        {story.parts.slice(left).map((part) => (
          <Shown key={part.seq} part={part} />
        ))}
        {story.saying.map((one) => (
          <Speaking key={`${one.id}.${one.attempt}`} saying={one} />
        ))}
      </ol>
    </>
  );
}

interface PlaceProps {
  icon: LucideIcon;
  tone?: string;
  at?: string;
  title: ReactNode;
  children?: ReactNode;
}

/** One place on the line. */
function Place({ icon: Icon, tone, at, title, children }: PlaceProps) {
  return (
    <li className="relative pb-5 pl-10 last:pb-0">
      <span aria-hidden className={cn("absolute top-0 left-0 flex size-6 items-center justify-center rounded-full border border-line bg-panel text-ink-3", tone)}>
        <Icon className="size-3.5" />
      </span>
      <div className="flex min-h-6 items-baseline justify-between gap-3">
        <div className="min-w-0 flex-1 break-words">{title}</div>
        {at ? (
          <span className="shrink-0 text-xs text-ink-3">
            <Ago at={at} />
          </span>
        ) : null}
      </div>
      {children ? <div className="mt-1.5 min-w-0">{children}</div> : null}
    </li>
  );
}

// what has happened stays as it is when more happens
const Shown = memo(function Shown({ part }: { part: Part }) {
  switch (part.is) {
    case "message":
      return (
        <Place icon={Bot} at={part.at} title={<Speaker node={part.node} />}>
          <Said
            pieces={[
              { kind: "reasoning", text: part.reasoning },
              { kind: "answer", text: part.content },
            ]}
          />
          {part.calls.length > 0 ? (
            <p className="mt-1.5 flex flex-wrap items-center gap-1.5 text-ink-3">
              {WORDS.calls}
              {part.calls.map((call, index) => (
                <code key={call.call_id ?? index} title={value(call.args)} className="rounded bg-sunken px-1.5 py-0.5 text-ink-2">
                  {line(call.name)}
                </code>
              ))}
            </p>
          ) : null}
        </Place>
      );
    case "tool":
      return <Tool part={part} />;
    case "hold":
      return <Held id={part.holdId} at={part.at} />;
    case "step":
      return <Step part={part} />;
    case "effect":
      return <Effect part={part} />;
    case "file":
      return <File part={part} />;
    case "test":
      return <Test part={part} />;
    case "mark":
      return <Place icon={Flag} at={part.at} title={<span className="text-ink-2">{line(part.words)}</span>} />;
  }
});

/** What the policy allowed by itself stopped nothing: a line says so. */
function Held({ id, at }: { id: string; at: string }) {
  const hold = useQuery(holdQuery(id)).data;
  if (hold?.decision?.basis === "policy") {
    return (
      <Place
        icon={ShieldCheck}
        at={at}
        title={
          <Link to="/holds/$holdId" params={{ holdId: id }} className="text-ink-3 hover:underline">
            {WORDS.policy(hold.decision.outcome)} <Name of={hold.action?.name ?? hold.title} />
          </Link>
        }
      />
    );
  }
  return (
    <Place icon={Hand} tone="text-high" at={at} title={WORDS.askedPeople}>
      <Holding id={id} />
    </Place>
  );
}

function Speaker({ node }: { node: string | null }) {
  return (
    <span className="text-ink-3">
      {WORDS.model}{node && node !== "model" ? <> {WORDS.in} <Name of={node} /></> : null}
    </span>
  );
}

function Name({ of }: { of: string }) {
  return <code className="font-medium text-ink-2">{line(of)}</code>;
}

function Speaking({ saying }: { saying: Saying }) {
  const last = saying.pieces.at(-1)?.kind;
  return (
    <Place icon={Bot} tone="border-accent text-accent" title={<span className="text-ink-3">{WORDS.modelIs} {last === "reasoning" ? WORDS.thinking : WORDS.writing}…</span>}>
      <Said pieces={saying.pieces} live />
    </Place>
  );
}

/** Reasoning apart from what is said; while it comes it is open, later folded. */
export function Said({ pieces, live = false }: { pieces: Piece[]; live?: boolean }) {
  const said = pieces.filter((piece) => piece.text !== "");
  return (
    <div className="space-y-2" aria-busy={live || undefined}>
      {said.map((piece, index) => {
        const cursor = live && index === said.length - 1 ? <span aria-hidden className="ml-0.5 inline-block h-4 w-1.5 animate-pulse bg-accent align-text-bottom" /> : null;
        if (piece.kind !== "reasoning") {
          return (
            <p key={index} className="break-words whitespace-pre-wrap">
              {plain(piece.text)}
              {cursor}
            </p>
          );
        }
        return (
          <details key={index} open={live || said.length === 1} className="border-l-2 border-line pl-3 text-ink-3">
            <summary className="cursor-pointer text-xs">{WORDS.reasoning}</summary>
            <p className="mt-1 break-words whitespace-pre-wrap">
              {plain(piece.text)}
              {cursor}
            </p>
          </details>
        );
      })}
    </div>
  );
}

function Tool({ part }: { part: Extract<Part, { is: "tool" }> }) {
  const state = part.failed ? "failed" : part.returned ? "returned" : "running…";
  return (
    <Place icon={Wrench} tone={part.failed ? "text-critical" : ""} at={part.at} title={<Folded title={<>{WORDS.tool} <Name of={part.name} /> <span className={part.failed ? "text-critical" : "text-ink-3"}>{state}</span></>}>
      <Labelled label={WORDS.arguments}>
        <Tree of={part.args} />
      </Labelled>
      {part.returned ? (
        <Labelled label={part.failed ? WORDS.error : WORDS.result}>
          <Value of={part.content} />
        </Labelled>
      ) : null}
    </Folded>} />
  );
}

function Step({ part }: { part: Extract<Part, { is: "step" }> }) {
  const empty = part.update === null || (typeof part.update === "object" && Object.keys(part.update).length === 0);
  const title = (
    <span className="text-ink-2">
      {WORDS.step(part.step)} <Name of={part.node} /> {WORDS.done}
      {part.namespace ? <span className="text-ink-3"> {WORDS.inNode(line(part.namespace.split(":")[0] ?? ""))}</span> : null}
    </span>
  );
  return (
    <Place icon={Check} tone="text-good" at={part.at} title={empty ? title : (
      <Folded title={title}>
        <Labelled label={part.truncated ? WORDS.whatItChanged : WORDS.whatItChangedAll}>
          <Tree of={part.update} />
        </Labelled>
      </Folded>
    )} />
  );
}

function File({ part }: { part: Extract<Part, { is: "file" }> }) {
  return (
    <Place icon={FilePen} at={part.at} title={
      <Folded title={<span className="text-ink-2">{line(part.words)}</span>}>
        <DiffText text={plain(part.diff)} />
      </Folded>
    } />
  );
}

function Test({ part }: { part: Extract<Part, { is: "test" }> }) {
  const failed = part.outcome === "failed";
  return <Place icon={failed ? X : Check} tone={failed ? "text-critical" : part.outcome === "passed" ? "text-good" : ""} at={part.at} title={<span className="text-ink-2">{line(part.words)}</span>} />;
}

const EFFECT = { reserved: "started", completed: WORDS.executedOnce, unknown: WORDS.mayHaveBeenExecutedIt };

function Effect({ part }: { part: Extract<Part, { is: "effect" }> }) {
  const unknown = part.state === "unknown";
  return (
    <Place
      icon={unknown ? CircleHelp : part.state === "completed" ? Zap : CornerDownRight}
      tone={unknown ? "text-high" : ""}
      at={part.at}
      title={
        <span className="text-ink-2">
          {WORDS.externalCall} <Name of={part.name} /> <span className={unknown ? "text-high" : "text-ink-3"}>{EFFECT[part.state]}</span>
        </span>
      }
    />
  );
}

function Folded({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <details>
      <summary className="cursor-pointer marker:text-ink-3">{title}</summary>
      <div className="mt-2 space-y-3 rounded-lg border border-line bg-surface px-4 py-3">{children}</div>
    </details>
  );
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="space-y-1">
      <p className="text-xs text-ink-3">{label}</p>
      {children}
    </div>
  );
}

/** One skill: what it says of itself, its files, what was found in it, its versions. */
import { useQuery } from "@tanstack/react-query";
import { Link, linkOptions, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Play } from "lucide-react";
import { useState } from "react";
import { Beside, Fetched } from "@/components/desk";
import { Document } from "@/components/document";
import { Findings } from "@/components/findings";
import { Value } from "@/components/json";
import { Section } from "@/components/section";
import { toast } from "@/components/toasts";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { Ago } from "@/components/ui/time";
import { fileQuery, skillQuery, useDelete, useSync, versionsQuery } from "@/features/skills/api";
import { Progress } from "@/features/skills/Progress";
import { SafeMark } from "@/features/skills/QueuePage";
import { TEXTS } from "@/features/skills/texts";
import { problemFrom } from "@/lib/api";
import { line, plain } from "@/lib/format";
import type { SkillDetail } from "@/lib/skills";

const WORDS = TEXTS.skillPage;

export function SkillPage() {
  const { name } = useParams({ from: "/shell/skills/$name" });
  const { text, version = null } = useSearch({ from: "/shell/skills" });
  const skill = useQuery(skillQuery(name, version));
  return (
    <Beside back={linkOptions({ to: "/skills", search: text ? { text } : {} })} name="Skills">
      <Fetched query={skill} what={WORDS.theSkill}>
        {(known) => (
          <article aria-label={WORDS.skill(line(name))} className="min-h-0 flex-1 overflow-y-auto">
            <div className="mx-auto max-w-3xl space-y-6 px-4 py-6 sm:px-8">
              <Head skill={known} />
              <Inputs skill={known} />
              <Section title={WORDS.documentation}>
                <div className="rounded-lg border border-line px-5 py-4">
                  <Document html={known.html} />
                </div>
              </Section>
              <Section title={WORDS.whatScanFound}>
                <Findings of={known.findings} />
              </Section>
              <Files skill={known} />
              <Versions skill={known} />
            </div>
          </article>
        )}
      </Fetched>
    </Beside>
  );
}

function Head({ skill }: { skill: SkillDetail }) {
  const inForce = skill.status === "approved";
  return (
    <header className="space-y-3">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <h1 className="text-xl leading-snug font-semibold break-words">{line(skill.name)}</h1>
        <div className="flex gap-2">
          {inForce ? (
            <Link
              to="/sessions/start"
              search={{ skill: skill.name }}
              className="inline-flex h-8 items-center gap-2 rounded-md bg-accent px-2.5 font-medium text-accent-ink hover:brightness-110"
            >
              <Play aria-hidden className="size-3.5" /> {WORDS.startASession}
            </Link>
          ) : null}
          <Sync name={skill.name} />
          <Delete name={skill.name} />
        </div>
      </div>
      <p className="break-words">{line(skill.description)}</p>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-ink-3">
        <SafeMark safe={skill.safe} />
        <span>{WORDS.version(skill.version)}</span>
        <span>{skill.complexity}</span>
        {inForce ? null : <span className="font-medium text-high">{WORDS.notInUse(skill.status)}</span>}
        <span>
          {WORDS.registeredBy(line(skill.registered_by.name))} <Ago at={skill.registered_at} />
        </span>
        <span className="break-all">
          {WORDS.from(line(skill.source.location), skill.source.path === "." ? "" : line(skill.source.path))}
        </span>
      </p>
    </header>
  );
}

function Sync({ name }: { name: string }) {
  const syncing = useSync(name);
  function look() {
    syncing.mutate(undefined, { onError: (error) => toast({ title: problemFrom(error).message, tone: "error" }) });
  }
  return (
    <>
      <Button size="sm" disabled={syncing.isPending} title={WORDS.checkWhetherSourceHasChanged} onClick={look}>
        {syncing.isPending ? WORDS.starting : WORDS.sync}
      </Button>
      {syncing.data ? (
        <Dialog title={WORDS.syncNamed(line(name))} onClose={syncing.reset}>
          <Progress runId={syncing.data.run_id} onClose={syncing.reset} />
        </Dialog>
      ) : null}
    </>
  );
}

function Delete({ name }: { name: string }) {
  const navigate = useNavigate();
  const deleting = useDelete(name);
  const [asked, setAsked] = useState(false);
  function leave() {
    toast({ title: WORDS.wasDeleted(line(name)), tone: "good" });
    void navigate({ to: "/skills", search: {} });
  }
  return (
    <>
      <Button size="sm" tone="danger" onClick={() => setAsked(true)}>
        {WORDS.delete}
      </Button>
      {asked ? (
        <Dialog title={WORDS.deleteNamed(line(name))} onClose={() => setAsked(false)}>
          <div className="space-y-4">
            <p className="text-ink-2">{WORDS.itCanNoLongerBe}</p>
            {deleting.isError ? <Notice tone="error" title={problemFrom(deleting.error).message} /> : null}
            <div className="flex justify-end gap-2">
              <Button onClick={() => setAsked(false)}>{WORDS.keepIt}</Button>
              <Button tone="critical" disabled={deleting.isPending} onClick={() => deleting.mutate(undefined, { onSuccess: leave })}>
                {WORDS.deleteIt}
              </Button>
            </div>
          </div>
        </Dialog>
      ) : null}
    </>
  );
}

function Inputs({ skill }: { skill: SkillDetail }) {
  if (skill.inputs.length === 0) return null;
  return (
    <Section title={WORDS.inputs}>
      <dl className="divide-y divide-line">
        {skill.inputs.map((one) => (
          <div key={one.name} className="grid gap-x-4 py-1.5 sm:grid-cols-[minmax(7rem,12rem)_1fr]">
            <dt className="font-mono text-xs leading-5 text-ink-3">{line(one.name)}</dt>
            <dd className="min-w-0 break-words">
              {line(one.description)} {one.default === null ? null : <span className="text-ink-3">{WORDS.default} <Value of={one.default} /></span>}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function Files({ skill }: { skill: SkillDetail }) {
  return (
    <Section title={WORDS.files} note={String(skill.files.length)}>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {skill.files.map((file) => (
          <li key={file.path}>
            <File skill={skill} path={file.path} size={file.size} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function File({ skill, path, size }: { skill: SkillDetail; path: string; size: number }) {
  const [open, setOpen] = useState(false);
  const content = useQuery({ ...fileQuery(skill.name, skill.version, path), enabled: open });
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer px-4 py-2">
        <code className="break-all">{line(path)}</code> <span className="text-xs text-ink-3">{WORDS.bytes(size.toLocaleString("en"))}</span>
      </summary>
      {open ? (
        <Fetched query={content} what={WORDS.theFile}>
          {(text) => (
            <pre tabIndex={0} aria-label={line(path)} className="max-h-96 overflow-auto border-t border-line bg-sunken px-4 py-3 text-xs leading-5">
              {plain(text)}
            </pre>
          )}
        </Fetched>
      ) : null}
    </details>
  );
}

function Versions({ skill }: { skill: SkillDetail }) {
  const versions = useQuery(versionsQuery(skill.name)).data ?? [];
  return (
    <Section title={WORDS.versions}>
      <ul className="divide-y divide-line">
        {versions.map((one) => (
          <li key={one.version} className="flex flex-wrap items-baseline gap-x-4 py-1.5">
            <Link
              to="/skills/$name"
              params={{ name: skill.name }}
              search={{ version: one.version }}
              aria-current={one.version === skill.version ? "true" : undefined}
              className="font-medium text-accent hover:underline"
            >
              {WORDS.versionTitle(one.version)}
            </Link>
            <span>{one.status}</span>
            <span className="text-xs text-ink-3">
              <code title={one.content_hash}>{one.content_hash.slice(0, 12)}</code>, <Ago at={one.registered_at} />
            </span>
            <Link to="/holds/$holdId" params={{ holdId: one.hold_id }} className="text-xs text-accent hover:underline">
              {WORDS.viewHold}
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Start a session: find a skill, say what it shall do, and how. */
import { useQuery } from "@tanstack/react-query";
import { Link, linkOptions, useNavigate, useSearch } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { Beside, Fetched } from "@/components/desk";
import { SearchBox } from "@/components/search-box";
import { Button } from "@/components/ui/button";
import { Field, Input, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useStart } from "@/features/sessions/api";
import { readSessionSearch } from "@/features/sessions/search";
import { TEXTS } from "@/features/sessions/texts";
import { problemFrom, type Schemas } from "@/lib/api";
import { useDraft } from "@/lib/drafts";
import { line } from "@/lib/format";
import { skillsQuery, useFound } from "@/lib/skills";

const WORDS = TEXTS.startPage;

const MOST_STEPS = 1000;
const MODES = [
  ["HITL", WORDS.withMe, WORDS.itAsksWhenItNeeds],
  ["AUTONOMOUS", WORDS.onItsOwn, WORDS.itNeverWaitsItUses],
] as const;

export function StartPage() {
  const filters = useSearch({ from: "/shell/sessions" });
  return (
    <Beside back={linkOptions({ to: "/sessions", search: filters })} name="Sessions">
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto max-w-3xl space-y-6 px-4 py-6 sm:px-8">
          <h1 className="text-xl font-semibold">{WORDS.startASession}</h1>
          <SkillChoice chosen={filters.skill ?? null} />
          {filters.skill ? <Starting key={filters.skill} skill={filters.skill} /> : null}
        </div>
      </div>
    </Beside>
  );
}

function SkillChoice({ chosen }: { chosen: string | null }) {
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const box = useRef<HTMLInputElement>(null);
  const found = useFound(text);
  const kept = useQuery(skillsQuery).data?.find((one) => one.name === chosen);
  const others = (found.data ?? []).filter((one) => one.name !== chosen);
  const choose = (skill: string) => void navigate({ to: "/sessions/start", search: (now: Record<string, unknown>) => readSessionSearch({ ...now, skill }), replace: true });
  return (
    <section aria-label={WORDS.skill} className="space-y-3">
      <h2 className="font-semibold">{WORDS.skill}</h2>
      <SearchBox text={text} label={WORDS.describeWhatItShouldDo} inputRef={box} onSearch={setText} />
      <Fetched query={found} what={WORDS.skills}>
        {() => (
          <fieldset className="max-h-72 divide-y divide-line overflow-y-auto rounded-lg border border-line">
            <legend className="sr-only">{WORDS.chooseASkill}</legend>
            {[...(kept ? [kept] : []), ...others].map((one) => (
              <label key={one.name} className="flex cursor-pointer gap-3 px-4 py-2.5 hover:bg-sunken has-checked:bg-accent-soft">
                <input type="radio" name="skill" className="mt-1 size-4 shrink-0 accent-accent" checked={one.name === chosen} onChange={() => choose(one.name)} />
                <span className="min-w-0">
                  <span className="block font-medium">{line(one.name)}</span>
                  <span className="line-clamp-2 text-xs text-ink-2">{line(one.description)}</span>
                </span>
              </label>
            ))}
            {others.length === 0 && !kept ? (
              <p className="px-4 py-3 text-ink-3">
                {text ? WORDS.noMatchingSkills : WORDS.noSkillIsApprovedYet}{" "}
                <Link to="/skills" search={{}} className="text-accent underline underline-offset-2">
                  {WORDS.registerOne}
                </Link>
              </p>
            ) : null}
          </fieldset>
        )}
      </Fetched>
    </section>
  );
}

function Starting({ skill }: { skill: string }) {
  const navigate = useNavigate();
  const starting = useStart();
  const [input, setInput, drop] = useDraft(`session:${skill}`, "");
  const [mode, setMode] = useState<Schemas["Mode"]>("HITL");
  const [model, setModel] = useState("");
  const [steps, setSteps] = useState("10");
  // the same thing asked twice is one session
  const last = useRef({ body: "", key: "" });
  const wrongSteps = !/^\d+$/.test(steps) || Number(steps) < 1 || Number(steps) > MOST_STEPS;
  const ready = input.trim() !== "" && !wrongSteps && !starting.isPending;

  function start() {
    if (!ready) return;
    const body = { skill_id: skill, input, mode, config: { model_id: model.trim() || null, max_steps: Number(steps) } };
    const text = JSON.stringify(body);
    if (last.current.body !== text) last.current = { body: text, key: `${Date.now()}-${Math.random()}` };
    starting.mutate(
      { body, key: last.current.key },
      {
        onSuccess: ({ session_id }) => {
          drop();
          void navigate({ to: "/sessions/$sessionId", params: { sessionId: session_id }, search: {} });
        },
      },
    );
  }

  return (
    <form
      className="space-y-5"
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
    >
      <Field label={WORDS.whatShouldItDo} hint={WORDS.pressCtrlEnterOrEnter}>
        {(props) => (
          <TextArea
            {...props}
            rows={4}
            value={input}
            onChange={(event) => setInput(event.target.value)}
            onKeyDown={(event) => event.key === "Enter" && (event.metaKey || event.ctrlKey) && start()}
          />
        )}
      </Field>
      <fieldset className="grid gap-2 sm:grid-cols-2">
        <legend className="mb-1.5 font-medium">{WORDS.how}</legend>
        {MODES.map(([name, label, about]) => (
          <label key={name} className="flex cursor-pointer gap-3 rounded-lg border border-line px-4 py-2.5 hover:bg-sunken has-checked:border-accent has-checked:bg-accent-soft">
            <input type="radio" name="mode" className="mt-1 size-4 shrink-0 accent-accent" checked={mode === name} onChange={() => setMode(name)} />
            <span>
              <span className="block font-medium">{label}</span>
              <span className="text-xs text-ink-2">{about}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={WORDS.model} hint={WORDS.light}>
          {(props) => <Input {...props} value={model} onChange={(event) => setModel(event.target.value)} />}
        </Field>
        <Field label={WORDS.maximumSteps} error={wrongSteps ? WORDS.wholeNumberFrom1To(MOST_STEPS) : null}>
          {(props) => <Input {...props} inputMode="numeric" value={steps} onChange={(event) => setSteps(event.target.value)} />}
        </Field>
      </div>
      {starting.isError ? <Notice tone="error" title={problemFrom(starting.error).message} /> : null}
      <Button type="submit" tone="accent" disabled={!ready}>
        {starting.isPending ? WORDS.starting : WORDS.startSession}
      </Button>
    </form>
  );
}

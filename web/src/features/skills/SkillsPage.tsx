/** The skills that can be used, beside the one that is open where there is room. */
import { Link, Outlet, useLocation, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useRef, useState } from "react";
import { Desk, Fetched } from "@/components/desk";
import { SearchBox } from "@/components/search-box";
import { SkillTabs } from "@/components/skill-tabs";
import { Button } from "@/components/ui/button";
import { RegisterDialog } from "@/features/skills/RegisterDialog";
import { readSkillSearch } from "@/features/skills/search";
import { TEXTS } from "@/features/skills/texts";
import { cn } from "@/lib/cn";
import { line } from "@/lib/format";
import { useListKeys } from "@/lib/list-keys";
import { useFound, type Found } from "@/lib/skills";

const WORDS = TEXTS.skillsPage;

export function SkillsPage() {
  const { text = "" } = useSearch({ from: "/shell/skills" });
  const { name: open } = useParams({ strict: false });
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const [registering, setRegistering] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  const found = useFound(text);
  const rows = found.data ?? [];
  const kept = text ? { text } : {};
  const beside = pathname !== "/skills" && pathname !== "/skills/";
  const teaches = text === "" && found.data?.length === 0;
  const current = useListKeys(
    {
      ids: rows.map((row) => row.name),
      open,
      show: (name) => void navigate({ to: "/skills/$name", params: { name }, search: kept }),
      leave: () => beside && void navigate({ to: "/skills", search: kept }),
    },
    () => ({ "/": () => search.current?.focus(), n: () => setRegistering(true) }),
  );
  return (
    <Desk
      label={WORDS.skills}
      beside={beside || teaches}
      list={
        <>
          <div className="space-y-2.5 border-b border-line px-4 pt-2.5 pb-3">
            <div className="flex items-center justify-between gap-3">
              <h1 className="sr-only">{WORDS.skills}</h1>
              <SkillTabs at={pathname === "/skills/queue" ? "/skills/queue" : "/skills"} />
              <Button size="sm" title={WORDS.registerSkills} onClick={() => setRegistering(true)}>
                <Plus aria-hidden className="size-4" /> {WORDS.register}
              </Button>
            </div>
            <SearchBox
              text={text}
              label={WORDS.describeWhatSkillShouldDo}
              inputRef={search}
              onSearch={(sought) => void navigate({ to: ".", search: (now: Record<string, unknown>) => readSkillSearch({ ...now, text: sought }), replace: true })}
            />
          </div>
          <Fetched query={found} what={WORDS.what}>
            {() =>
              rows.length === 0 ? (
                <p className="px-6 py-12 text-center text-ink-3">{text ? WORDS.noMatchingSkills : WORDS.noSkillsYet}</p>
              ) : (
                <ul aria-label={text ? WORDS.bestFirst : WORDS.skills} className="min-h-0 flex-1 overflow-y-auto">
                  {rows.map((row) => (
                    <li key={row.name}>
                      <SkillRow row={row} current={row.name === current} text={text} />
                    </li>
                  ))}
                </ul>
              )
            }
          </Fetched>
          {registering ? <RegisterDialog onClose={() => setRegistering(false)} /> : null}
        </>
      }
    >
      <Outlet />
    </Desk>
  );
}

function SkillRow({ row, current, text }: { row: Found; current: boolean; text: string }) {
  return (
    <Link
      to="/skills/$name"
      params={{ name: row.name }}
      search={text ? { text } : {}}
      aria-current={current ? "true" : undefined}
      className={cn("relative block border-b border-line px-4 py-2.5 -outline-offset-2 hover:bg-panel", current && "bg-panel")}
    >
      {current ? <span aria-hidden className="absolute inset-y-0 left-0 w-0.75 bg-accent" /> : null}
      <span className="flex items-baseline justify-between gap-3">
        <span className="truncate font-medium">{line(row.name)}</span>
        <span className="shrink-0 text-xs text-ink-3">{row.note}</span>
      </span>
      <span className="line-clamp-2 text-xs text-ink-3">{line(row.description)}</span>
    </Link>
  );
}

import { Code } from "@/components/ui/copy";
import { DemoPanel } from "@/features/inbox/DemoPanel";
import { TEXTS } from "@/features/inbox/texts";
import { ViewTabs } from "@/features/inbox/ViewTabs";
import { administers, useMe } from "@/lib/me";

const WORDS = TEXTS.firstRun;

/** An empty inbox teaches the next step, with commands that work as they stand. */
export function FirstRun() {
  const me = useMe();
  const url = location.origin;
  const title = me.roles.length > 0 ? WORDS.nothingNeedsYou : WORDS.noRoleYet;
  const open = `curl -X POST ${url}/api/holds \\
  -H "Authorization: Bearer $BOT" -H "Content-Type: application/json" \\
  -d '{"kind": "approval", "title": "Deploy shop 1.4.2 to staging",
       "action": {"name": "deploy", "target": "staging",
                  "args": {"service": "shop", "version": "1.4.2"}}}'`;
  return (
    <div className="h-full overflow-y-auto">
      {/* where there is no room for the list, whose heading and views they are */}
      <div className="md:hidden">
        <h1 className="sr-only">{TEXTS.title}</h1>
        <ViewTabs filters={{}} />
      </div>
      <div className="mx-auto max-w-2xl space-y-8 px-6 py-12">
        <header className="space-y-2">
          <h2 className="text-xl font-semibold">{title}</h2>
          <p className="text-ink-2">
            {WORDS.whenAgentAsks}{administers(me) ? "" : WORDS.toTryIt}
          </p>
        </header>
        {administers(me) ? (
          <>
            <DemoPanel />
            <h2 className="text-xl font-semibold">{WORDS.connectYourOwnAgent}</h2>
          </>
        ) : null}
        {administers(me) ? (
          <section className="space-y-3">
            <h3 className="text-base font-medium">{WORDS.n1}</h3>
            <p className="text-ink-2">
              {WORDS.onMachineThatRunsHandrail} <code>{WORDS.handrailLogin}</code>:
            </p>
            <Code
              text={`source .venv/bin/activate\nexport HANDRAIL_URL=${url}\nhandrail people add deploy-bot --kind agent\nexport BOT=$(handrail token make deploy-bot)`}
            />
          </section>
        ) : (
          <section className="space-y-3">
            <h3 className="text-base font-medium">{WORDS.n12}</h3>
            <p className="text-ink-2">{WORDS.askAdministratorForAgentToken}</p>
            <Code text={'export BOT="hr_…"'} />
          </section>
        )}
        <section className="space-y-3">
          <h3 className="text-base font-medium">{WORDS.letItAsk}</h3>
          <Code text={open} />
        </section>
        <section className="space-y-3">
          <h3 className="text-base font-medium">{WORDS.decide}</h3>
          <p className="text-ink-2">{WORDS.holdAppearsInList}</p>
          <p className="text-ink-2">
            {WORDS.inPython} <code>{WORDS.gate}</code> {WORDS.onAFunction} <code>{WORDS.examplesGate}</code> {WORDS.does}
          </p>
          <Code text={"HANDRAIL_TOKEN=$BOT python examples/gate.py"} />
        </section>
      </div>
    </div>
  );
}

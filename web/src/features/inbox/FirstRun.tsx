import { Code } from "@/components/ui/copy";
import { DemoPanel } from "@/features/inbox/DemoPanel";
import { TEXTS } from "@/features/inbox/texts";
import { administers, useMe } from "@/lib/me";

/** An empty inbox teaches the next step, with commands that work as they stand. */
export function FirstRun() {
  const me = useMe();
  const url = location.origin;
  const title = me.roles.length > 0 ? "Nothing needs your decision" : "You have no role yet";
  const open = `curl -X POST ${url}/api/holds \\
  -H "Authorization: Bearer $BOT" -H "Content-Type: application/json" \\
  -d '{"kind": "approval", "title": "Deploy shop 1.4.2 to staging",
       "action": {"name": "deploy", "target": "staging",
                  "args": {"service": "shop", "version": "1.4.2"}}}'`;
  return (
    <div className="h-full overflow-y-auto">
      {/* where there is no room for the list, whose heading it is */}
      <h1 className="sr-only md:hidden">{TEXTS.title}</h1>
      <div className="mx-auto max-w-2xl space-y-8 px-6 py-12">
        <header className="space-y-2">
          <h2 className="text-xl font-semibold">{title}</h2>
          <p className="text-ink-2">
            When an agent asks, its hold appears here at once.{administers(me) ? "" : " To try it, let your own agent ask:"}
          </p>
        </header>
        {administers(me) ? (
          <>
            <DemoPanel />
            <h2 className="text-xl font-semibold">Connect your own agent</h2>
          </>
        ) : null}
        {administers(me) ? (
          <section className="space-y-3">
            <h3 className="text-base font-medium">1. Give an agent a token</h3>
            <p className="text-ink-2">
              On the machine that runs Handrail, signed in with <code>handrail login</code>:
            </p>
            <Code
              text={`source .venv/bin/activate\nexport HANDRAIL_URL=${url}\nhandrail people add deploy-bot --kind agent\nexport BOT=$(handrail token make deploy-bot)`}
            />
          </section>
        ) : (
          <section className="space-y-3">
            <h3 className="text-base font-medium">1. Get an agent&apos;s token</h3>
            <p className="text-ink-2">Ask an administrator for an agent token and put it in your shell:</p>
            <Code text={'export BOT="hr_…"'} />
          </section>
        )}
        <section className="space-y-3">
          <h3 className="text-base font-medium">2. Let it ask</h3>
          <Code text={open} />
        </section>
        <section className="space-y-3">
          <h3 className="text-base font-medium">3. Decide</h3>
          <p className="text-ink-2">The hold appears in the list. Open it to approve or reject it.</p>
          <p className="text-ink-2">
            In Python, put <code>@gate</code> on a function, as <code>examples/gate.py</code> does:
          </p>
          <Code text={"HANDRAIL_TOKEN=$BOT python examples/gate.py"} />
        </section>
      </div>
    </div>
  );
}

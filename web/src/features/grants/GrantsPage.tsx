/** Standing permissions: what each allows, who made it, how much of it was used, and the way to end it. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Page, Panel } from "@/components/page";
import { RiskWord } from "@/components/risk";
import { toast } from "@/components/toasts";
import { Button } from "@/components/ui/button";
import { BackButton, Dialog } from "@/components/ui/dialog";
import { Field, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Ago } from "@/components/ui/time";
import { Waiting } from "@/components/ui/waiting";
import { grantsQuery, useRevoke, type Grant } from "@/features/grants/api";
import { TEXTS } from "@/features/grants/texts";
import { problemFrom } from "@/lib/api";
import { cn } from "@/lib/cn";
import { line, listed } from "@/lib/format";

const WORDS = TEXTS.grantsPage;

const OPEN = ["live", "proposed"];

export function GrantsPage() {
  const [ended, setEnded] = useState(false);
  const grants = useQuery(grantsQuery(ended));
  const [revoking, setRevoking] = useState<Grant | null>(null);
  return (
    <Page
      title={WORDS.grants}
      intro={WORDS.standingPermissions}
      actions={
        <label className="flex items-center gap-2 py-2">
          <input type="checkbox" checked={ended} onChange={(event) => setEnded(event.target.checked)} />
          {WORDS.alsoThoseThatAreOver}
        </label>
      }
    >
      <Panel title={WORDS.grants}>
        {grants.isError ? (
          <Notice tone="error" title={problemFrom(grants.error).message} />
        ) : grants.isPending ? (
          <Waiting what={WORDS.what} />
        ) : grants.data.length === 0 ? (
          <p className="text-ink-3">{WORDS.none}</p>
        ) : (
          <ul aria-label={WORDS.grants} className="-my-2 divide-y divide-line">
            {grants.data.map((one) => (
              <GrantRow key={one.id} grant={one} onRevoke={() => setRevoking(one)} />
            ))}
          </ul>
        )}
      </Panel>
      {revoking ? <Revoke grant={revoking} onClose={() => setRevoking(null)} /> : null}
    </Page>
  );
}

function GrantRow({ grant, onRevoke }: { grant: Grant; onRevoke: () => void }) {
  const open = OPEN.includes(grant.status);
  return (
    <li className={cn("space-y-1 py-3", !open && "text-ink-3")}>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-ink-3">
        <RiskWord level={grant.risk} />
        <Link to="/holds/$holdId" params={{ holdId: grant.id }} className="underline">
          {grant.short_id}
        </Link>
        <span className={cn("font-medium", grant.status === "live" ? "text-good" : grant.status === "proposed" ? "text-high" : "")}>{grant.status.replace("_", " ")}</span>
        {grant.ended_by ? <span>{WORDS.by(line(grant.ended_by.name))}</span> : null}
      </p>
      <div className="flex flex-wrap items-start gap-3">
        <p className="min-w-0 flex-1 basis-64 break-words">{line(grant.sentence)}</p>
        {open ? (
          <Button size="sm" tone="danger" aria-label={WORDS.revokeNamed(grant.short_id)} onClick={onRevoke}>
            {WORDS.revoke}
          </Button>
        ) : null}
      </div>
      <p className="text-xs text-ink-3">
        {WORDS.madeBy} {grant.makers.length > 0 ? listed(grant.makers.map((one) => line(one.name)), "and") : WORDS.nobodyYet} <Ago at={grant.made_at} />{WORDS.usedTimes(grant.used)}
        {grant.last_used_at ? (
          <>
            {WORDS.last} <Ago at={grant.last_used_at} />
          </>
        ) : null}
        {grant.spent === null ? "" : WORDS.spent(grant.spent)}.
      </p>
    </li>
  );
}

function Revoke({ grant, onClose }: { grant: Grant; onClose: () => void }) {
  const [reason, setReason] = useState("");
  const revoking = useRevoke();
  return (
    <Dialog title={WORDS.revokeNamed(grant.short_id)} onClose={onClose}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          revoking.mutate(
            { id: grant.id, reason: reason.trim() },
            {
              onSuccess: () => {
                onClose();
                toast({ title: WORDS.isRevoked(grant.short_id), tone: "good" });
              },
            },
          );
        }}
      >
        <p className="break-words text-ink-2">{line(grant.sentence)}</p>
        <Field label={WORDS.reason}>{(props) => <TextArea {...props} rows={2} required value={reason} onChange={(event) => setReason(event.target.value)} />}</Field>
        {revoking.isError ? <Notice tone="error" title={problemFrom(revoking.error).message} /> : null}
        <div className="flex justify-end gap-2">
          <BackButton />
          <Button type="submit" tone="critical" disabled={reason.trim() === "" || revoking.isPending}>
            {WORDS.revokeIt}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

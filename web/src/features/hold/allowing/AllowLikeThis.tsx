/** On a hold: the way to allow calls like it in advance. */
import { Link } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/section";
import { TEXTS } from "@/features/hold/allowing/texts";
import type { Hold } from "@/lib/holds";
import { lazy } from "@/lib/lazy";

const WORDS = TEXTS.allowLikeThis;

const AllowDialog = lazy(() => import("@/features/hold/allowing/AllowDialog"));

export default function AllowLikeThis({ hold }: { hold: Hold }) {
  const [open, setOpen] = useState(false);
  const grant = hold.decision?.grant;
  if (grant) {
    return (
      <Section title={WORDS.grant}>
        <p className="text-ink-2">
          {WORDS.nobodyWasAsked}{" "}
          <Link to="/holds/$holdId" params={{ holdId: grant }} className="underline">
            {WORDS.aGrant}
          </Link>{" "}
          {WORDS.coversThisCall}
        </p>
      </Section>
    );
  }
  const offered = hold.kind === "approval" && hold.run_id === null && hold.requirements.grants && hold.risk !== "low" && hold.action !== null;
  const mine = hold.status === "pending" ? hold.may_decide.allowed && !hold.may_decide.reject_only : hold.status === "approved";
  if (!offered || !mine) return null;
  return (
    <Section title={WORDS.callsLikeThis} note={WORDS.ifYouWouldApproveThem}>
      <Button onClick={() => setOpen(true)}>{WORDS.allowLikeThis}</Button>
      {open && hold.action ? (
        <Suspense>
          <AllowDialog hold={hold} action={hold.action} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </Section>
  );
}

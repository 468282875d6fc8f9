/** On a hold: the way to allow calls like it in advance. */
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/section";
import type { Hold } from "@/lib/holds";

const AllowDialog = lazy(() => import("@/features/grants/AllowDialog"));

export default function AllowLikeThis({ hold }: { hold: Hold }) {
  const [open, setOpen] = useState(false);
  const grant = hold.decision?.grant;
  if (grant) {
    return (
      <Section title="Grant">
        <p className="text-ink-2">
          Nobody was asked:{" "}
          <Link to="/holds/$holdId" params={{ holdId: grant }} className="underline">
            a grant
          </Link>{" "}
          covers this call.
        </p>
      </Section>
    );
  }
  const offered = hold.kind === "approval" && hold.run_id === null && hold.requirements.grants && hold.risk !== "low" && hold.action !== null;
  const mine = hold.status === "pending" ? hold.may_decide.allowed && !hold.may_decide.reject_only : hold.status === "approved";
  if (!offered || !mine) return null;
  return (
    <Section title="Calls like this" note="if you would approve them every time">
      <Button onClick={() => setOpen(true)}>Allow like this…</Button>
      {open && hold.action ? (
        <Suspense>
          <AllowDialog hold={hold} action={hold.action} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </Section>
  );
}

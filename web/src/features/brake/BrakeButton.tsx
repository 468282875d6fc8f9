/** The emergency brake in the top bar: two steps to set it, and a banner for all while it is on. */
import { useQuery } from "@tanstack/react-query";
import { OctagonX } from "lucide-react";
import { Suspense, useState } from "react";
import { Button } from "@/components/ui/button";
import { Ago } from "@/components/ui/time";
import { TEXTS } from "@/features/brake/texts";
import { brakesQuery, type Brake } from "@/lib/brakes";
import { line } from "@/lib/format";
import { lazy } from "@/lib/lazy";
import { administers, useMe } from "@/lib/me";

const WORDS = TEXTS.brakeButton;

const LiftBrake = lazy(() => import("@/features/brake/LiftBrake"));
const SetBrake = lazy(() => import("@/components/set-brake"));

export function BrakeButton() {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button tone="ghost" size="sm" className="text-critical hover:bg-critical-soft hover:text-critical" onClick={() => setAsking(true)}>
        <OctagonX aria-hidden className="size-4" />
        <span className="max-sm:sr-only">{WORDS.brake}</span>
      </Button>
      <Suspense>{asking ? <SetBrake onClose={() => setAsking(false)} /> : null}</Suspense>
    </>
  );
}

/** For everybody, on every page, as long as a brake is on. */
export function BrakeBanner() {
  const brakes = useQuery(brakesQuery).data ?? [];
  return brakes.map((brake) => <Banner key={brake.agent?.id ?? "all"} brake={brake} />);
}

function Banner({ brake }: { brake: Brake }) {
  const me = useMe();
  const [lifting, setLifting] = useState(false);
  return (
    <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-critical-soft px-4 py-2 text-critical">
      <OctagonX aria-hidden className="size-4 shrink-0" />
      <p className="mr-auto min-w-0 break-words">
        <strong className="font-semibold">{brake.agent ? line(brake.agent.name) : WORDS.everyAgent} {WORDS.isStopped}</strong> {WORDS.by(line(brake.set_by.name))}{" "}
        <Ago at={brake.set_at} />: {line(brake.reason)}
      </p>
      {administers(me) ? (
        <Button size="sm" onClick={() => setLifting(true)}>
          {WORDS.liftTheBrake}
        </Button>
      ) : null}
      <Suspense>{lifting ? <LiftBrake brake={brake} onClose={() => setLifting(false)} /> : null}</Suspense>
    </div>
  );
}

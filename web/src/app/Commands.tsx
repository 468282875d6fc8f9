/** The palette with the pages and actions of this person. */
import { useNavigate } from "@tanstack/react-router";
import { Suspense, useMemo, useState } from "react";
import type { Destination } from "@/app/nav";
import { TEXTS } from "@/app/texts";
import Palette, { type Command } from "@/features/palette/Palette";
import { lazy } from "@/lib/lazy";
import { chooseTheme } from "@/lib/theme";
import { administers, readsAll, useMe } from "@/lib/me";

const SetBrake = lazy(() => import("@/components/set-brake"));

const WORDS = TEXTS.commands;

interface Props {
  shown: Destination[];
  onHelp: () => void;
  onClose: () => void;
}

export default function Commands({ shown, onHelp, onClose }: Props) {
  const me = useMe();
  const navigate = useNavigate();
  const [braking, setBraking] = useState(false);
  const pages = useMemo<Command[]>(
    () => [
      ...shown.map((one) => ({ label: one.label, note: `g ${one.key}`, run: () => void navigate({ to: one.to }) })),
      { label: WORDS.sessions, run: () => void navigate({ to: "/sessions" }) },
      { label: WORDS.queue, also: WORDS.alsoQueue, run: () => void navigate({ to: "/skills/queue" }) },
      { label: WORDS.grants, also: WORDS.alsoGrants, run: () => void navigate({ to: "/grants" }) },
      { label: WORDS.samples, also: WORDS.alsoSamples, run: () => void navigate({ to: "/insights/samples" }) },
      { label: WORDS.fatigue, also: WORDS.alsoFatigue, run: () => void navigate({ to: "/insights/fatigue" }) },
      ...(readsAll(me) ? [{ label: WORDS.report, also: WORDS.alsoReport, run: () => void navigate({ to: "/report" }) }] : []),
      ...(administers(me) ? [{ label: WORDS.notifications, also: WORDS.alsoNotifications, run: () => void navigate({ to: "/notifications" }) }] : []),
      { label: WORDS.account, also: WORDS.alsoAccount, note: "g m", run: () => void navigate({ to: "/account" }) },
      { label: WORDS.docs, also: WORDS.alsoDocs, run: () => void navigate({ to: "/docs" }) },
    ],
    [shown, me, navigate],
  );
  const actions = useMemo<Command[]>(
    () => [
      { label: WORDS.newRun, also: WORDS.alsoNewRun, run: () => void navigate({ to: "/runs/start" }) },
      { label: WORDS.newChange, also: WORDS.alsoNewChange, run: () => void navigate({ to: "/changes/start" }) },
      { label: WORDS.newSession, run: () => void navigate({ to: "/sessions/start" }) },
      ...(me.scopes.includes("decide") ? [{ label: WORDS.brake, also: WORDS.alsoBrake, run: () => setBraking(true) }] : []),
      { label: WORDS.keys, note: "?", run: onHelp },
      { label: WORDS.light, run: () => chooseTheme("light") },
      { label: WORDS.dark, run: () => chooseTheme("dark") },
      { label: WORDS.system, run: () => chooseTheme("system") },
    ],
    [me, navigate, onHelp],
  );
  if (braking) {
    return (
      <Suspense>
        <SetBrake onClose={onClose} />
      </Suspense>
    );
  }
  return <Palette pages={pages} actions={actions} onClose={(run) => (run === WORDS.brake ? undefined : onClose())} />;
}

/** The palette with the pages and actions of this person. */
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useMemo, useState } from "react";
import type { Destination } from "@/app/nav";
import Palette, { type Command } from "@/features/palette/Palette";
import { chooseTheme } from "@/lib/theme";
import { readsAll, useMe } from "@/lib/me";

const SetBrake = lazy(() => import("@/components/set-brake"));

const TEXTS = {
  samples: "Samples",
  fatigue: "Fatigue",
  grants: "Grants",
  report: "Oversight report",
  account: "Your account",
  docs: "API reference",
  newRun: "Start a run",
  newChange: "Start a code change",
  newSession: "Start a session of a skill",
  brake: "Emergency brake…",
  keys: "Keyboard shortcuts",
  light: "Theme: light",
  dark: "Theme: dark",
  system: "Theme: as the system has it",
};

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
      { label: TEXTS.samples, also: "low actions that ran unasked findings", run: () => void navigate({ to: "/insights/samples" }) },
      { label: TEXTS.fatigue, also: "suggestions asked too often", run: () => void navigate({ to: "/insights/fatigue" }) },
      { label: TEXTS.grants, also: "standing permissions allow like this", run: () => void navigate({ to: "/grants" }) },
      ...(readsAll(me) ? [{ label: TEXTS.report, also: "compliance", run: () => void navigate({ to: "/report" }) }] : []),
      { label: TEXTS.account, also: "password tokens passkey time zone absence", note: "g m", run: () => void navigate({ to: "/account" }) },
      { label: TEXTS.docs, also: "openapi routes", run: () => void navigate({ to: "/docs" }) },
    ],
    [shown, me, navigate],
  );
  const actions = useMemo<Command[]>(
    () => [
      { label: TEXTS.newRun, also: "workflow", run: () => void navigate({ to: "/runs/start" }) },
      { label: TEXTS.newChange, also: "pull request", run: () => void navigate({ to: "/changes/start" }) },
      { label: TEXTS.newSession, run: () => void navigate({ to: "/sessions/start" }) },
      ...(me.scopes.includes("decide") ? [{ label: TEXTS.brake, also: "stop agents", run: () => setBraking(true) }] : []),
      { label: TEXTS.keys, note: "?", run: onHelp },
      { label: TEXTS.light, run: () => chooseTheme("light") },
      { label: TEXTS.dark, run: () => chooseTheme("dark") },
      { label: TEXTS.system, run: () => chooseTheme("system") },
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
  return <Palette pages={pages} actions={actions} onClose={(run) => (run === TEXTS.brake ? undefined : onClose())} />;
}

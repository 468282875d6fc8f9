import { useQueryClient } from "@tanstack/react-query";
import { Bell, KeyRound, LogOut, UserRound } from "lucide-react";
<<<<<<< HEAD
import { useState } from "react";
=======
import { lazy, Suspense, useState } from "react";
>>>>>>> 8af1003 (test(attacks): the web: scripts in every field, framing, next, traversal, smuggling, headers of mail; feat(web): set your password)
import { toast } from "@/components/toasts";
import { Button } from "@/components/ui/button";
import { Menu, MenuChoice, MenuItem, MenuLine } from "@/components/ui/menu";
import { signOut } from "@/features/auth/api";
import { PasswordDialog } from "@/features/auth/PasswordDialog";
import { problemFrom } from "@/lib/api";
import { words } from "@/lib/format";
import type { Me } from "@/lib/me";
import { canNotify, notifies } from "@/lib/notifications";
import { chooseTheme, useTheme } from "@/lib/theme";

const PasswordDialog = lazy(() => import("@/features/auth/PasswordDialog"));

const THEMES = [
  ["system", "As the system"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const;

export function PersonMenu({ me }: { me: Me }) {
  const theme = useTheme();
  const queries = useQueryClient();
  const [told, setTold] = useState(notifies());
<<<<<<< HEAD
  const [choosing, setChoosing] = useState(false);
=======
  const [setting, setSetting] = useState(false);
>>>>>>> 8af1003 (test(attacks): the web: scripts in every field, framing, next, traversal, smuggling, headers of mail; feat(web): set your password)

  async function leave(everywhere: boolean) {
    try {
      await signOut(everywhere);
    } catch (error) {
      toast({ tone: "error", title: problemFrom(error).message });
      return;
    }
    queries.clear();
    location.assign("/sign-in");
  }

  return (
    <>
<<<<<<< HEAD
      {choosing ? <PasswordDialog onClose={() => setChoosing(false)} /> : null}
=======
      {setting ? (
        <Suspense>
          <PasswordDialog onClose={() => setSetting(false)} />
        </Suspense>
      ) : null}
>>>>>>> 8af1003 (test(attacks): the web: scripts in every field, framing, next, traversal, smuggling, headers of mail; feat(web): set your password)
      <Menu
        trigger={
          <Button tone="ghost" size="sm" aria-label={`${me.name}: account, theme, sign out`}>
            <UserRound aria-hidden className="size-4" />
            <span className="hidden max-w-32 truncate sm:inline">{me.name}</span>
          </Button>
        }
      >
        <div className="px-2.5 py-1.5">
          <p className="font-medium">{me.name}</p>
          <p className="max-w-52 text-xs text-ink-3">{me.roles.map(words).join(", ") || "no roles"}</p>
        </div>
        <MenuLine />
        <MenuChoice label="Theme" value={theme} options={THEMES} onChange={chooseTheme} />
        {canNotify() ? (
          <>
            <MenuLine />
            <MenuItem
              disabled={told}
              onSelect={() => void Notification.requestPermission().then((answer) => setTold(answer === "granted"))}
            >
              <Bell aria-hidden className="size-4" />
              {told ? "Desktop notices are on" : "Turn on desktop notices"}
            </MenuItem>
          </>
        ) : null}
        <MenuLine />
<<<<<<< HEAD
        <MenuItem onSelect={() => setChoosing(true)}>
          <KeyRound aria-hidden className="size-4" />
          Set password…
=======
        <MenuItem onSelect={() => setSetting(true)}>
          <KeyRound aria-hidden className="size-4" />
          Set your password…
>>>>>>> 8af1003 (test(attacks): the web: scripts in every field, framing, next, traversal, smuggling, headers of mail; feat(web): set your password)
        </MenuItem>
        <MenuItem onSelect={() => void leave(false)}>
          <LogOut aria-hidden className="size-4" />
          Sign out
        </MenuItem>
        <MenuItem onSelect={() => void leave(true)}>
          <LogOut aria-hidden className="size-4" />
          Sign out everywhere
        </MenuItem>
      </Menu>
    </>
  );
}

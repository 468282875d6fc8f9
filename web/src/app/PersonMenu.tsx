import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Bell, KeyRound, LogOut, Send, UserRound } from "lucide-react";
import { useState } from "react";
import { TEXTS } from "@/app/texts";
import { toast } from "@/components/toasts";
import { Button } from "@/components/ui/button";
import { Menu, MenuChoice, MenuItem, MenuLine } from "@/components/ui/menu";
import { signOut } from "@/features/auth/api";
import { problemFrom } from "@/lib/api";
import { words } from "@/lib/format";
import { administers, type Me } from "@/lib/me";
import { canNotify, notifies } from "@/lib/notifications";
import { chooseTheme, useTheme } from "@/lib/theme";

const WORDS = TEXTS.personMenu;

const THEMES = [
  ["system", "System"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const;

export default function PersonMenu({ me }: { me: Me }) {
  const theme = useTheme();
  const queries = useQueryClient();
  const [told, setTold] = useState(notifies());
  const navigate = useNavigate();

  async function leave(everywhere: boolean) {
    try {
      // a server that does not answer keeps nobody signed in
      await (await import("@/lib/push")).forget(everywhere).catch(() => undefined);
      await signOut(everywhere);
    } catch (error) {
      toast({ tone: "error", title: problemFrom(error).message });
      return;
    }
    queries.clear();
    location.assign("/sign-in");
  }

  return (
      <Menu
        trigger={
          <Button tone="ghost" size="sm" aria-label={WORDS.account(me.name)}>
            <UserRound aria-hidden className="size-4" />
            <span className="hidden max-w-32 truncate sm:inline">{me.name}</span>
          </Button>
        }
      >
        <div className="px-2.5 py-1.5">
          <p className="font-medium">{me.name}</p>
          <p className="max-w-52 text-xs text-ink-3">{me.roles.map(words).join(", ") || WORDS.noRoles}</p>
        </div>
        <MenuLine />
        <MenuChoice label={WORDS.theme} value={theme} options={THEMES} onChange={chooseTheme} />
        {canNotify() ? (
          <>
            <MenuLine />
            <MenuItem
              disabled={told}
              onSelect={() => void Notification.requestPermission().then((answer) => setTold(answer === "granted"))}
            >
              <Bell aria-hidden className="size-4" />
              {told ? WORDS.desktopNotificationsAreOn : WORDS.turnOnDesktopNotifications}
            </MenuItem>
          </>
        ) : null}
        <MenuLine />
        <MenuItem onSelect={() => void navigate({ to: "/account" })}>
          <KeyRound aria-hidden className="size-4" />
          {WORDS.yourAccount}
        </MenuItem>
        {administers(me) ? (
          <MenuItem onSelect={() => void navigate({ to: "/notifications" })}>
            <Send aria-hidden className="size-4" />
            {WORDS.notifications}
          </MenuItem>
        ) : null}
        <MenuItem onSelect={() => void leave(false)}>
          <LogOut aria-hidden className="size-4" />
          {WORDS.signOut}
        </MenuItem>
        <MenuItem onSelect={() => void leave(true)}>
          <LogOut aria-hidden className="size-4" />
          {WORDS.signOutEverywhere}
        </MenuItem>
      </Menu>
  );
}

/** The pages of the navigation, and who has use of them. */
import type { LinkProps } from "@tanstack/react-router";
import { Bot, ChartNoAxesColumn, GitPullRequestArrow, Inbox, Puzzle, ScrollText, ShieldCheck, Users, Workflow, type LucideIcon } from "lucide-react";
import { administers, readsAll, type Me } from "@/lib/me";

export interface Destination {
  to: NonNullable<LinkProps["to"]>;
  label: string;
  icon: LucideIcon;
  /** Pressed after `g`. */
  key: string;
  /** Addresses that belong to it besides its own. */
  also?: string;
  shown?: (me: Me) => boolean;
}

export const DESTINATIONS: Destination[] = [
  { to: "/inbox", label: "Inbox", icon: Inbox, key: "i", also: "/holds/" },
  { to: "/runs", label: "Runs", icon: Workflow, key: "r" },
  { to: "/changes", label: "Changes", icon: GitPullRequestArrow, key: "c" },
  { to: "/skills", label: "Skills", icon: Puzzle, key: "s", also: "/sessions" },
  { to: "/agents", label: "Agents", icon: Bot, key: "b" },
  { to: "/insights", label: "Insights", icon: ChartNoAxesColumn, key: "t" },
  { to: "/policy", label: "Policy", icon: ScrollText, key: "p", also: "/grants" },
  { to: "/audit", label: "Audit", icon: ShieldCheck, key: "a", also: "/report", shown: readsAll },
  { to: "/people", label: "People", icon: Users, key: "e", shown: administers },
];

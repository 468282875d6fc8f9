/** One hold: loads it, and keeps what was seen apart from what it has become. */
import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { Notice } from "@/components/ui/notice";
import { Waiting } from "@/components/ui/waiting";
import { holdQuery } from "@/features/hold/api";
import { Pack } from "@/features/hold/Pack";
import { problemFrom } from "@/lib/api";

export function HoldPage() {
  const { holdId } = useParams({ from: "/shell/desk/holds/$holdId" });
  const filters = useSearch({ from: "/shell/desk" });
  const hold = useQuery(holdQuery(holdId));
  return (
    <div className="flex h-full min-h-0 flex-col bg-panel">
      <div className="border-b border-line px-2 py-1 md:hidden">
        <Link to="/inbox" search={filters} className="inline-flex h-9 items-center gap-2 px-2 text-ink-2">
          <ArrowLeft aria-hidden className="size-4" /> Inbox
        </Link>
      </div>
      {hold.isPending ? (
        <Waiting what="the hold" />
      ) : hold.isError ? (
        <Notice tone="error" title={problemFrom(hold.error).message} className="m-6" />
      ) : (
        // drafts, modes and what was seen belong to one hold
        <Pack key={holdId} hold={hold.data} />
      )}
    </div>
  );
}

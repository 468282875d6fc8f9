import { OutcomePlot } from "@/components/plots/OutcomePlot";
import { behind, type InsightSearch } from "@/lib/insight-search";
import { named, type Insights } from "@/lib/insights";
import { line } from "@/lib/format";

/** What became of holds, by who asked, by action and by rule. */
export function OutcomesBy({ of, search }: { of: Insights; search: InsightSearch }) {
  const agents = of.agents.map((row) => ({ ...row, id: row.agent.id, label: line(row.agent.name) }));
  const to = (name: "agent" | "action" | "rule") => (id: string, more: InsightSearch) => behind(search, { [name]: id, ...more });
  return (
    <>
      <OutcomePlot by="agents" rows={agents} to={to("agent")} className="lg:col-span-2" />
      <OutcomePlot by="actions" rows={named(of.actions)} to={to("action")} />
      <OutcomePlot by="rules" rows={named(of.rules)} to={to("rule")} />
    </>
  );
}

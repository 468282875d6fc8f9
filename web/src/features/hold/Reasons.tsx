import { Check, Circle, X } from "lucide-react";
import { RiskWord } from "@/components/risk";
import { Ago } from "@/components/ui/time";
import { Section } from "@/components/section";
import { Facts } from "@/components/facts";
import { Entries } from "@/components/json";
import { claimsOf } from "@/features/hold/claims";
import { TEXTS } from "@/features/hold/texts";
import { line, plain, words } from "@/lib/format";
import type { Hold } from "@/lib/holds";
import { needs, progress, spoke } from "@/lib/wording";

const WORDS = TEXTS.reasons;

export function Why({ hold }: { hold: Hold }) {
  const claims = claimsOf(hold);
  return (
    <Section title={WORDS.whyItWasHeld}>
      {hold.rules.length === 0 ? (
        <p className="text-ink-2">{hold.action ? WORDS.noRuleMatchesThisAction : WORDS.thisIsOnlyQuestion}</p>
      ) : (
        <ul className="space-y-1.5">
          {hold.rules.map((rule) => (
            <li key={rule.rule}>
              <p className="break-words">{plain(rule.reason)}</p>
              <p className="flex flex-wrap gap-x-2 text-xs text-ink-3">
                <RiskWord level={rule.level} />
                <span>{WORDS.rule(rule.rule)}</span>
                {rule.from === "claim" ? <span className="rounded border border-dashed border-line px-1">{WORDS.claimed}</span> : null}
              </p>
            </li>
          ))}
        </ul>
      )}
      {hold.facts.length === 0 ? null : (
        <details>
          <summary className="cursor-pointer text-xs text-ink-3">{WORDS.whatIsKnownAboutIt}</summary>
          <Facts of={hold.facts} />
        </details>
      )}
      {Object.keys(claims).length === 0 ? null : (
        <div className="rounded-md border border-dashed border-line px-3 py-2">
          <p className="text-xs text-ink-3">{WORDS.claims(line(hold.opened_by.name))}</p>
          <Entries of={claims} />
        </div>
      )}
    </Section>
  );
}

/** Who must say yes, and who has said what. */
export function Needs({ hold }: { hold: Hold }) {
  const done = progress(hold);
  return (
    <Section title={hold.kind === "input" ? WORDS.whoMayAnswer : WORDS.whoMustApprove} {...(done ? { note: done } : {})}>
      <p className="break-words">{needs(hold)}</p>
      {hold.requirements.justification ? <p className="text-ink-3">{WORDS.justificationIsRequired}</p> : null}
      {hold.requirements.passkey ? <p className="text-ink-3">{WORDS.approvingRequiresSignatureByYour}</p> : null}
      {hold.requirements.own_credential ? <p className="text-ink-3">{WORDS.approvingRequiresYourOwnSign}</p> : null}
      <ul className="space-y-1.5">
        {hold.reviews.map((review) => {
          const no = review.verdict === "reject";
          const Icon = no ? X : review.verdict === "amend" || review.verdict === "respond" ? Circle : Check;
          return (
            <li key={`${review.by.id} ${review.at}`} className="flex gap-2">
              <Icon aria-hidden className={`mt-1 size-3.5 shrink-0 ${no ? "text-critical" : "text-good"}`} />
              <span className="min-w-0">
                {spoke(review.by, review.on_behalf_of)} <span className="text-ink-3">({review.roles.map(words).join(", ")})</span> {PAST[review.verdict]}{" "}
                <span className="text-ink-3">
                  <Ago at={review.at} />
                </span>
                {review.reason ? <span className="block break-words text-ink-2">“{line(review.reason)}”</span> : null}
                {review.credential?.remark ? <span className="block break-words text-high">{line(review.credential.remark)}</span> : null}
              </span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

const PAST = { approve: "approved", reject: "rejected", answer: "answered", amend: "amended", respond: "responded" };

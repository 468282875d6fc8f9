/** The time zone and the language of dates, of the account. */
import { useState } from "react";
import { Panel } from "@/components/page";
import { Field, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useSetDates } from "@/features/account/api";
import { TEXTS } from "@/features/account/texts";
import { problemFrom } from "@/lib/api";
import { useNow } from "@/lib/clock";
import { exact } from "@/lib/format";
import { zones } from "@/lib/locale";
import { useMe, type Me } from "@/lib/me";

type Chosen = Me["dates"];

const WORDS = TEXTS.dates;
const LANGUAGES = ["en-GB", "en-US", "de-DE", "fr-FR", "es-ES", "it-IT", "pt-BR", "nl-NL", "pl-PL", "sv-SE", "tr-TR", "uk-UA", "ja-JP", "ko-KR", "zh-CN", "hi-IN", "ar"];

/** A language in its own words. */
function named(tag: string): string {
  return new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
}

export function Dates() {
  const { dates } = useMe();
  const set = useSetDates();
  // what was asked for is shown at once: whoever types a name or presses an arrow again goes on from there
  const [asked, setAsked] = useState<Chosen | null>(null);
  const shown = asked ?? dates;
  function ask(next: Chosen) {
    setAsked(next);
    set.mutate(next, { onSettled: () => setAsked(null) });
  }
  const now = useNow();
  return (
    <Panel title={WORDS.title} note={WORDS.note}>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={WORDS.zone}>
          {(props) => (
            <Select {...props} value={shown.zone ?? ""} onChange={(event) => ask({ ...shown, zone: event.target.value || null })}>
              <option value="">{WORDS.asDevice}</option>
              {zones().map((name) => (
                <option key={name}>{name}</option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={WORDS.language}>
          {(props) => (
            <Select {...props} value={shown.language ?? ""} onChange={(event) => ask({ ...shown, language: event.target.value || null })}>
              <option value="">{WORDS.asDevice}</option>
              {LANGUAGES.map((tag) => (
                <option key={tag} value={tag}>
                  {named(tag)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      {set.isError ? <Notice tone="error" title={problemFrom(set.error).message} /> : null}
      <p className="mt-3 text-ink-2">{WORDS.example(exact(new Date(now).toISOString()))}</p>
    </Panel>
  );
}

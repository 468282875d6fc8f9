/** The time zone and the language of dates, for this device. */
import { Panel } from "@/components/page";
import { Field, Select } from "@/components/ui/field";
import { useNow } from "@/lib/clock";
import { exact } from "@/lib/format";
import { choose, useChosen, zones } from "@/lib/locale";

const TEXTS = {
  title: "Dates and times",
  note: "on this device",
  zone: "Time zone",
  language: "Language of dates",
  asDevice: "As this device has it",
  example: (now: string) => `Now it is ${now}.`,
};
const LANGUAGES = ["en-GB", "en-US", "de-DE", "fr-FR", "es-ES", "it-IT", "pt-BR", "nl-NL", "pl-PL", "sv-SE", "tr-TR", "uk-UA", "ja-JP", "ko-KR", "zh-CN", "hi-IN", "ar"];

/** A language in its own words. */
function named(tag: string): string {
  return new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
}

export function Dates() {
  const zone = useChosen("zone");
  const language = useChosen("language");
  const now = useNow();
  return (
    <Panel title={TEXTS.title} note={TEXTS.note}>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={TEXTS.zone}>
          {(props) => (
            <Select {...props} value={zone} onChange={(event) => choose("zone", event.target.value)}>
              <option value="">{TEXTS.asDevice}</option>
              {zones().map((name) => (
                <option key={name}>{name}</option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={TEXTS.language}>
          {(props) => (
            <Select {...props} value={language} onChange={(event) => choose("language", event.target.value)}>
              <option value="">{TEXTS.asDevice}</option>
              {LANGUAGES.map((tag) => (
                <option key={tag} value={tag}>
                  {named(tag)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <p className="mt-3 text-ink-2">{TEXTS.example(exact(new Date(now).toISOString()))}</p>
    </Panel>
  );
}

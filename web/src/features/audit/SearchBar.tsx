import { useNavigate } from "@tanstack/react-router";
import { ListFilter } from "lucide-react";
import { useEffect, useRef, useState, type SyntheticEvent } from "react";
import { SearchBox } from "@/components/search-box";
import { Button } from "@/components/ui/button";
import { Field, Input, Select } from "@/components/ui/field";
import { readAuditSearch, type AuditFilters } from "@/features/audit/search";
import { TEXTS } from "@/features/audit/texts";
import { useKeys } from "@/lib/keys";

const WORDS = TEXTS.search;
const FIELDS = ["actor", "agent", "action", "hold"] as const;

/** Text and type at once; who, what and when on request. */
export function SearchBar({ filters }: { filters: AuditFilters }) {
  const navigate = useNavigate();
  const box = useRef<HTMLInputElement>(null);
  const { text: _, type: __, ...others } = filters;
  const [more, setMore] = useState(Object.keys(others).length > 0);
  const form = useRef<HTMLFormElement>(null);
  const narrowed = JSON.stringify(others);
  // what is in the address is what is in the fields, and whoever pressed Enter in one of them stays there
  useEffect(() => form.current?.reset(), [narrowed]);
  useKeys({ "/": () => box.current?.focus() });

  function narrow(change: AuditFilters) {
    // by what the address says then: text that was typed comes a moment later, and must not take back other filters
    void navigate({ to: "/audit", search: (now: AuditFilters) => readAuditSearch({ ...now, ...change }), replace: true });
  }
  function submit(event: SyntheticEvent<HTMLFormElement>) {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const text = (name: string) => {
      const value = given.get(name);
      return typeof value === "string" ? value.trim() : "";
    };
    const moment = (name: string) => (text(name) ? new Date(text(name)).toISOString() : "");
    narrow({ ...Object.fromEntries(FIELDS.map((name) => [name, text(name)])), since: moment("since"), until: moment("until") });
  }

  return (
    <div className="space-y-3">
      <div className="flex flex-wrap gap-2 max-sm:[&>:first-child]:basis-full">
        <SearchBox text={filters.text ?? ""} label={WORDS.text} inputRef={box} onSearch={(text) => narrow({ text })} />
        <Select aria-label={WORDS.type} className="w-40" value={filters.type ?? ""} onChange={(event) => narrow({ type: event.target.value })}>
          {TEXTS.types.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
        <Button size="icon" aria-expanded={more} aria-label={WORDS.more} title={WORDS.more} onClick={() => setMore(!more)}>
          <ListFilter aria-hidden className="size-4" />
        </Button>
      </div>
      {more ? (
        <form ref={form} onSubmit={submit} className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
          {FIELDS.map((name) => (
            <Field key={name} label={WORDS[name]}>
              {(props) => <Input {...props} name={name} defaultValue={filters[name] ?? ""} />}
            </Field>
          ))}
          {(["since", "until"] as const).map((name) => (
            <Field key={name} label={WORDS[name]}>
              {(props) => <Input {...props} type="datetime-local" name={name} defaultValue={local(filters[name])} />}
            </Field>
          ))}
          <div className="flex items-end gap-2">
            <Button type="submit" tone="accent">
              {WORDS.apply}
            </Button>
            {Object.keys(filters).length > 0 ? <Button onClick={() => void navigate({ to: "/audit", search: {} })}>{WORDS.clear}</Button> : null}
          </div>
        </form>
      ) : null}
    </div>
  );
}

/** As the browser's field for a moment takes it, in the device's zone. */
function local(at: string | undefined): string {
  const date = new Date(at ?? "");
  if (Number.isNaN(date.getTime())) return "";
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

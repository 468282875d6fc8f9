/** A file as an answer: read here, sent within it. Its name and size are shown, and it can be taken out again. */
import { ariaDescribedByIds, dataURItoBlob, type WidgetProps } from "@rjsf/utils";
import { Paperclip, X } from "lucide-react";
import { useState } from "react";
import { TEXTS } from "@/components/forms/texts";
import { Button } from "@/components/ui/button";
import { line } from "@/lib/format";

const WORDS = TEXTS.files;
// an answer has at most a mebibyte, and a file grows by a third on its way into it
const MOST_BYTES = 700_000;

/** As the schema's `data-url` has it: type, name, content. */
export function encoded(name: string, type: string, base64: string): string {
  return `data:${type || "application/octet-stream"};name=${encodeURIComponent(name)};base64,${base64}`;
}

async function read(file: File): Promise<string> {
  const text = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(new Error(WORDS.unreadable(file.name)));
    reader.readAsDataURL(file);
  });
  return encoded(file.name, file.type, text.slice(text.indexOf(",") + 1));
}

function described(uri: string): { name: string; size: number } {
  try {
    const { blob, name } = dataURItoBlob(uri);
    return { name: line(name), size: blob.size };
  } catch {
    return { name: WORDS.unnamed, size: uri.length };
  }
}

export function Files(props: WidgetProps) {
  const { id, label, multiple, disabled, readonly, required, onChange, options, rawErrors } = props;
  const value = props.value as unknown;
  const kept = (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === "string" && one !== "");
  const [trouble, setTrouble] = useState<string | null>(null);
  const set = (next: string[]) => onChange(multiple ? next : next[0]);
  const take = async (chosen: File[]) => {
    const before = multiple ? kept : [];
    let size = before.reduce((sum, uri) => sum + described(uri).size, 0);
    const taken: string[] = [];
    setTrouble(null);
    for (const file of chosen) {
      size += file.size;
      if (size > MOST_BYTES) {
        setTrouble(WORDS.tooLarge(line(file.name), MOST_BYTES));
        break;
      }
      try {
        taken.push(await read(file));
      } catch (error) {
        setTrouble((error as Error).message);
        break;
      }
    }
    if (taken.length > 0) set([...before, ...taken]);
  };
  return (
    <div className="space-y-2">
      {kept.length > 0 ? (
        <ul className="space-y-1">
          {kept.map((uri, index) => {
            const { name, size } = described(uri);
            return (
              <li key={index} className="flex items-center gap-2 rounded-md border border-line px-3 py-1">
                <Paperclip aria-hidden className="size-4 shrink-0 text-ink-3" />
                <span className="min-w-0 flex-1 truncate">{name}</span>
                <span className="text-xs text-ink-3">{WORDS.size(size)}</span>
                <Button tone="ghost" size="icon" aria-label={WORDS.remove(name)} title={WORDS.remove(name)} disabled={disabled || readonly} onClick={() => set(kept.filter((_, at) => at !== index))}>
                  <X aria-hidden className="size-4" />
                </Button>
              </li>
            );
          })}
        </ul>
      ) : null}
      {/* the browser's own control, in our looks: it can be reached by keys and named by its label */}
      <input
        id={id}
        type="file"
        aria-label={`${label}: ${WORDS.choose(multiple === true)}`}
        aria-describedby={ariaDescribedByIds(id)}
        aria-invalid={(rawErrors?.length ?? 0) > 0 || trouble !== null}
        aria-required={required === true}
        multiple={multiple}
        accept={options.accept as string | undefined}
        disabled={disabled || readonly}
        className="block w-full max-w-md cursor-pointer text-xs text-ink-3 file:mr-3 file:h-8 file:cursor-pointer file:rounded-md file:border file:border-solid file:border-line-strong/60 file:bg-panel file:px-3 file:text-sm file:font-medium file:text-ink"
        onChange={(event) => {
          const chosen = [...(event.target.files ?? [])];
          // the same one may be chosen again after it was taken out
          event.target.value = "";
          void take(chosen);
        }}
      />
      {trouble ? (
        <p role="alert" className="text-xs text-critical">
          {trouble}
        </p>
      ) : null}
    </div>
  );
}

/** A field to search in: asks once the typing has paused, and follows the address where that changes otherwise. */
import { Search } from "lucide-react";
import { useEffect, useState, type RefObject } from "react";
import { Input } from "@/components/ui/field";

const TYPING_MS = 200;

interface Props {
  text: string;
  label: string;
  inputRef: RefObject<HTMLInputElement | null>;
  onSearch: (text: string) => void;
}

export function SearchBox({ text, label, inputRef, onSearch }: Props) {
  const [typed, setTyped] = useState(text);
  const [known, setKnown] = useState(text);
  // a link or the browser's "back" changed the address
  if (text !== known) {
    setKnown(text);
    setTyped(text);
  }
  useEffect(() => {
    if (typed === text) return;
    const timer = setTimeout(() => {
      setKnown(typed);
      onSearch(typed);
    }, TYPING_MS);
    return () => clearTimeout(timer);
    // what was typed decides, not what the address says meanwhile
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [typed]);
  return (
    <div className="relative flex-1">
      <Search aria-hidden className="absolute top-2.5 left-3 size-4 text-ink-3" />
      <Input
        ref={inputRef}
        type="search"
        aria-label={label}
        placeholder={label}
        value={typed}
        onChange={(e) => setTyped(e.target.value)}
        onKeyDown={(e) => {
          if (e.key !== "Escape") return;
          // browsers would empty the field
          e.preventDefault();
          e.currentTarget.blur();
        }}
        className="pl-9"
      />
    </div>
  );
}

import { useEffect, useState } from "react";
import { TEXTS } from "@/components/ui/texts";

const WORDS = TEXTS.waiting;

/** Nothing for a moment, then words: never a picture that turns and says nothing. */
export function Waiting({ what }: { what: string }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 600);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p role="status" className="p-6 text-ink-3">
      {late ? WORDS.loading(what) : ""}
    </p>
  );
}

import { useId, type ComponentProps, type ReactNode } from "react";
import { cn } from "@/lib/cn";

const box =
  "w-full rounded-md border border-line-strong/60 bg-panel px-3 text-ink placeholder:text-ink-3 focus:border-accent focus:outline-2 focus:outline-accent disabled:opacity-60";

export function Input({ className, ...rest }: ComponentProps<"input">) {
  return <input className={cn(box, "h-9", className)} {...rest} />;
}

export function TextArea({ className, rows = 3, ...rest }: ComponentProps<"textarea">) {
  return <textarea rows={rows} className={cn(box, "block py-2 leading-relaxed", className)} {...rest} />;
}

export function Select({ className, ...rest }: ComponentProps<"select">) {
  return <select className={cn(box, "h-9 cursor-pointer pr-8", className)} {...rest} />;
}

interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | null | undefined;
  children: (props: { id: string; "aria-describedby": string; "aria-invalid": boolean }) => ReactNode;
}

/** A control with its label above, and what helps or is wrong below. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const about = `${id}-about`;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children({ id, "aria-describedby": about, "aria-invalid": Boolean(error) })}
      <div id={about} className="text-xs empty:hidden">
        {error ? <p className="text-critical">{error}</p> : hint ? <p className="text-ink-3">{hint}</p> : null}
      </div>
    </div>
  );
}

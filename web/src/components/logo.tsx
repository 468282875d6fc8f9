export function Logo({ className }: { className?: string }) {
  return (
    <span className={`inline-flex items-center gap-2.5 text-base font-semibold tracking-tight ${className ?? ""}`}>
      <svg aria-hidden viewBox="0 0 32 32" className="size-6">
        <rect width="32" height="32" rx="8" className="fill-accent" />
        <path
          d="M7 11.5h18M10.5 11.5v11M21.5 11.5v11M10.5 17h11"
          fill="none"
          className="stroke-accent-ink"
          strokeWidth="2.6"
          strokeLinecap="round"
        />
      </svg>
      Handrail
    </span>
  );
}

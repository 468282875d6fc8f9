/** A key, shown where a keyboard is likely. */
export function Kbd({ children }: { children: string }) {
  return (
    <kbd
      aria-hidden
      className="hidden min-w-5 items-center justify-center rounded border border-current/30 px-1 text-xs leading-4 opacity-80 pointer-fine:inline-flex"
    >
      {children}
    </kbd>
  );
}

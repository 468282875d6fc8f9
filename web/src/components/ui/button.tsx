import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn";

export const buttonLook = cva(
  "inline-flex shrink-0 cursor-pointer items-center justify-center gap-2 rounded-md border font-medium whitespace-nowrap transition-colors disabled:cursor-not-allowed disabled:opacity-50",
  {
    variants: {
      tone: {
        plain: "border-line bg-panel text-ink hover:bg-sunken",
        accent: "border-transparent bg-accent text-accent-ink hover:brightness-110",
        danger: "border-line bg-panel text-critical hover:bg-critical-soft",
        critical: "border-transparent bg-critical text-white hover:brightness-110 dark:text-[#2a0805]",
        ghost: "border-transparent bg-transparent text-ink-2 hover:bg-sunken hover:text-ink",
      },
      size: { md: "h-9 px-3.5", sm: "h-8 px-2.5", icon: "size-9", lg: "h-10 px-4" },
    },
    defaultVariants: { tone: "plain", size: "md" },
  },
);

export type ButtonProps = ComponentProps<"button"> &
  VariantProps<typeof buttonLook> & {
    /** Takes nothing yet, because what it decides on was not readable long enough. It keeps the focus and announces nothing. */
    waits?: boolean | undefined;
  };

export function Button({ tone, size, className, type = "button", waits = false, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={cn(buttonLook({ tone, size }), waits && "waits", className)}
      aria-disabled={waits || undefined}
      onClick={(event) => {
        if (waits) event.preventDefault();
        else onClick?.(event);
      }}
      {...rest}
    />
  );
}

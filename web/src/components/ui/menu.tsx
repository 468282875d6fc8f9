import * as Dropdown from "@radix-ui/react-dropdown-menu";
import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn";

const item =
  "flex cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1.5 outline-none select-none data-highlighted:bg-sunken data-disabled:opacity-50";

interface MenuProps {
  trigger: ReactNode;
  onOpen?: (open: boolean) => void;
  children: ReactNode;
}

/** A menu that opens from its trigger. Not modal: a modal one would add inline styles, which our pages refuse. */
export function Menu({ trigger, onOpen, children }: MenuProps) {
  return (
    <Dropdown.Root modal={false} {...(onOpen ? { onOpenChange: onOpen } : {})}>
      <Dropdown.Trigger asChild>{trigger}</Dropdown.Trigger>
      {/* where its trigger is: at the end of the document it would be in no part of the page */}
      <Dropdown.Content
        align="end"
        sideOffset={6}
        collisionPadding={8}
        className="z-50 max-h-[80dvh] min-w-56 overflow-y-auto rounded-lg border border-line bg-panel p-1 text-left text-sm font-normal text-ink shadow-lg"
      >
        {children}
      </Dropdown.Content>
    </Dropdown.Root>
  );
}

interface ItemProps {
  children: ReactNode;
  onSelect: () => void;
  disabled?: boolean;
  /** Where what it shows is a picture. */
  label?: string;
  className?: string;
}

export function MenuItem({ children, onSelect, disabled, label, className }: ItemProps) {
  return (
    <Dropdown.Item className={cn(item, className)} onSelect={onSelect} {...(disabled ? { disabled } : {})} {...(label ? { "aria-label": label, title: label } : {})}>
      {children}
    </Dropdown.Item>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  options: readonly (readonly [T, string])[];
  onChange: (value: T) => void;
}

export function MenuChoice<T extends string>({ label, value, options, onChange }: ChoiceProps<T>) {
  return (
    <Dropdown.RadioGroup value={value} onValueChange={(next) => onChange(next as T)}>
      <MenuLabel>{label}</MenuLabel>
      {options.map(([name, text]) => (
        <Dropdown.RadioItem key={name} value={name} className={item}>
          <span className="flex-1">{text}</span>
          <Dropdown.ItemIndicator>
            <Check aria-hidden className="size-4 text-accent" />
          </Dropdown.ItemIndicator>
        </Dropdown.RadioItem>
      ))}
    </Dropdown.RadioGroup>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Dropdown.Label className="px-2.5 pt-2 pb-1 text-xs text-ink-3">{children}</Dropdown.Label>;
}

export function MenuLine() {
  return <Dropdown.Separator className="mx-1 my-1 h-px bg-line" />;
}

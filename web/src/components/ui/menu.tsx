import * as Dropdown from "@radix-ui/react-dropdown-menu";
import { Check } from "lucide-react";
import type { ReactNode } from "react";

const item =
  "flex cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1.5 outline-none select-none data-highlighted:bg-sunken data-disabled:opacity-50";

interface MenuProps {
  trigger: ReactNode;
  children: ReactNode;
}

/** A menu that opens from its trigger. Not modal: a modal one would add inline styles, which our pages refuse. */
export function Menu({ trigger, children }: MenuProps) {
  return (
    <Dropdown.Root modal={false}>
      <Dropdown.Trigger asChild>{trigger}</Dropdown.Trigger>
      <Dropdown.Portal>
        <Dropdown.Content
          align="end"
          sideOffset={6}
          collisionPadding={8}
          className="z-50 min-w-56 rounded-lg border border-line bg-panel p-1 text-ink shadow-lg"
        >
          {children}
        </Dropdown.Content>
      </Dropdown.Portal>
    </Dropdown.Root>
  );
}

export function MenuItem({ children, onSelect, disabled }: { children: ReactNode; onSelect: () => void; disabled?: boolean }) {
  return (
    <Dropdown.Item className={item} onSelect={onSelect} {...(disabled ? { disabled } : {})}>
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
      <Dropdown.Label className="px-2.5 pt-2 pb-1 text-xs text-ink-3">{label}</Dropdown.Label>
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

export function MenuLine() {
  return <Dropdown.Separator className="mx-1 my-1 h-px bg-line" />;
}

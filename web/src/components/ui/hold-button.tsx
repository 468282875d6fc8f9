import { useEffect, useRef, useState } from "react";
import { Button, type ButtonProps } from "@/components/ui/button";
import { TEXTS } from "@/components/ui/texts";
import { cn } from "@/lib/cn";

const WORDS = TEXTS.holdButton;

/** As long as the stroke in style.css takes. */
export const HOLD_MS = 600;

type Props = ButtonProps & {
  /** Pressed and held, by finger or mouse. */
  onHeld: () => void;
  /** Pressed briefly, by a key, or by a program that presses for a person: the way that needs no holding. */
  onPressed: () => void;
};

export function HoldButton({ onHeld, onPressed, waits, disabled, className, children, ...rest }: Props) {
  const [holding, setHolding] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const done = useRef(false);
  useEffect(() => () => clearTimeout(timer.current), []);

  function letGo() {
    clearTimeout(timer.current);
    setHolding(false);
  }

  return (
    <Button
      {...rest}
      waits={waits}
      disabled={disabled}
      className={cn("touch-manipulation select-none", holding && "held", className)}
      onPointerDown={(event) => {
        done.current = false;
        if (waits || disabled || event.button !== 0) return;
        setHolding(true);
        timer.current = setTimeout(() => {
          done.current = true;
          setHolding(false);
          onHeld();
        }, HOLD_MS);
      }}
      onPointerUp={letGo}
      onPointerLeave={letGo}
      onPointerCancel={letGo}
      // a long touch would open the browser's menu
      onContextMenu={(event) => event.preventDefault()}
      onClick={() => {
        // the end of a press that was held is no second press
        if (!done.current) onPressed();
        done.current = false;
      }}
    >
      {/* as wide as before: what moves away from the finger cannot be held */}
      <span className={cn("contents", holding && "invisible")}>{children}</span>
      {holding ? <span className="absolute inset-0 flex items-center justify-center">{WORDS.hold}</span> : null}
    </Button>
  );
}

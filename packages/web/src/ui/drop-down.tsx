import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";

interface DropDownProps {
  /** Content of the button. */
  readonly button: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A button with a panel, which closes as a menu does: by a click elsewhere, by Escape and when the focus leaves it. */
export function DropDown({ button, className = "", children }: DropDownProps) {
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const press = ({ target }: PointerEvent): void => {
      if (target instanceof Node && box.current?.contains(target) !== true) setOpen(false);
    };
    document.addEventListener("pointerdown", press);
    return () => document.removeEventListener("pointerdown", press);
  }, [isOpen]);
  const onBlur = ({ relatedTarget: next }: FocusEvent): void => {
    if (next !== null && box.current?.contains(next) !== true) setOpen(false);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !isOpen) return;
    event.stopPropagation(); // an outer dialog stays open
    setOpen(false);
    box.current?.querySelector("summary")?.focus();
  };
  return (
    <details
      ref={box}
      className={`relative ${className}`}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      onBlur={onBlur}
      onKeyDown={onKeyDown}
    >
      <summary className="btn cursor-pointer list-none">{button}</summary>
      {children}
    </details>
  );
}

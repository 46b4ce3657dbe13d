import { useRef, type KeyboardEvent } from "react";
import { Icon } from "./icon.tsx";
import { useShortcuts } from "./keyboard/use-shortcuts.ts";

export interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onEnter?: (event: KeyboardEvent) => void;
  readonly className?: string;
}

/** A search field, focused by the search shortcut. */
export function SearchField({ label, value, onChange, onEnter, className = "" }: SearchFieldProps) {
  const box = useRef<HTMLInputElement>(null);
  useShortcuts({ search: () => box.current?.focus() });
  return (
    <label className={`relative block ${className}`}>
      <span className="sr-only">{label}</span>
      <Icon name="search" className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-soft" />
      <input
        ref={box}
        type="search"
        className="input pl-8"
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => event.key === "Enter" && onEnter?.(event)}
      />
    </label>
  );
}

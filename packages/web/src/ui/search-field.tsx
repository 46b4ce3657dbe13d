import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Input, useTextOf, Field } from "./field.tsx";
import { Icon } from "./icon.tsx";
import { useShortcuts } from "./keyboard/use-shortcuts.ts";
import { useSearchParam } from "./use-search-param.ts";

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onEnter?: (event: KeyboardEvent) => void;
  readonly className?: string;
}

const DEBOUNCE_MS = 150;

/** A search field, focused by the search shortcut. */
export function SearchField({ label, value, onChange, onEnter, className = "" }: SearchFieldProps) {
  const box = useRef<HTMLInputElement>(null);
  useShortcuts({ search: () => box.current?.focus() });
  return (
    <label className={`relative block ${className}`}>
      <span className="sr-only">{label}</span>
      <Icon name="search" className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-soft" />
      <Input
        className="pl-8"
        ref={box}
        type="search"
        placeholder={label}
        value={value}
        onType={onChange}
        onKeyDown={(event) => event.key === "Enter" && onEnter?.(event)}
      />
    </label>
  );
}

/** A search text in the URL (`?q=`), written there when typing pauses. */
export function SearchBox({ label }: { readonly label: string }) {
  const [text, setText] = useTypedParam("q", DEBOUNCE_MS);
  return <SearchField className="w-full md:max-w-sm" label={label} value={text} onChange={setText} />;
}

/** The text of a field whose query parameter changes when typing pauses. It follows a link or the back button. */
export function useTypedParam(name: string, pauseMs: number): readonly [string, (text: string) => void] {
  const [value, setValue] = useSearchParam(name);
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  /** The text that went into the URL last; more may have been typed since. */
  const [written, setWritten] = useState(value);
  if (seen !== value) {
    setSeen(value);
    if (value !== written) setText(value);
  }
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => {
      setWritten(text);
      setValue(text, { replace: true });
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [text, value, setValue, pauseMs]);
  return [text, setText];
}

interface TextFilterProps {
  /** The query parameter. */
  readonly name: string;
  readonly label: string;
  readonly type?: "text" | "date";
  readonly placeholder?: string;
  readonly className: string;
  /** Undefined for a text that is not understood; the placeholder is an example of one that is. */
  readonly parse?: (text: string) => number | undefined;
}

/** A text in the URL, written there on Enter or blur. */
export function TextFilter({ name, label, type = "text", placeholder, className, parse }: TextFilterProps) {
  const [value, setValue] = useSearchParam(name);
  const [text, setText] = useTextOf(value);
  const isWrong = text.trim() !== "" && parse !== undefined && parse(text) === undefined;
  const apply = (): void => {
    if (!isWrong && text.trim() !== value) setValue(text.trim());
  };
  return (
    <Field label={label} isSmall>
      <Input
        className={className}
        type={type}
        placeholder={placeholder}
        maxLength={200}
        value={text}
        aria-invalid={isWrong}
        onType={setText}
        onBlur={apply}
        onKeyDown={(event) => event.key === "Enter" && apply()}
      />
      {isWrong && <span className="block text-small text-failed">Example: {placeholder}</span>}
    </Field>
  );
}

/** A value once it has stayed unchanged for `ms`: typing causes a request only after a pause. */
export function useSettled<Value>(value: Value, ms: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

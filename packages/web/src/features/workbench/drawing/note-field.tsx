import { type ChangeEvent, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { TextArea, Field } from "../../../ui/field.tsx";

interface NoteFieldProps {
  readonly label: string;
  readonly note: string | undefined;
  readonly onChange: (note: string | undefined) => void;
}

/** Maximum length of a note. */
const MAX_CHARACTERS = 5000;

/** The pause in typing after which text becomes part of the document. */
const PAUSE_MS = 700;

/** A note, which is the `doc` of a part of the document. */
export function NoteField({ label, note = "", onChange }: NoteFieldProps) {
  const shown = note.trim();
  const field = useTyped(shown, (text) => {
    const clean = text.replaceAll(/[^\S\n]+$/gm, "").trim();
    if (clean !== shown) onChange(clean === "" ? undefined : clean);
  });
  return (
    <Field label={label} isSmall>
      <TextArea className="min-h-16" maxLength={MAX_CHARACTERS} {...field} />
    </Field>
  );
}

/** The note about the whole network, above its drawing. */
export function NetworkNote({ note, onChange }: Omit<NoteFieldProps, "label">) {
  const [isOpen, setIsOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const open = (): void => {
    setIsOpen(true);
    requestAnimationFrame(() => place.current?.querySelector("textarea")?.focus());
  };
  const text = note?.trim() ?? "";
  if (isOpen)
    return (
      <div ref={place} className="card px-3 py-2" onBlur={() => setIsOpen(false)}>
        <NoteField label="Note about the network" note={note} onChange={onChange} />
      </div>
    );
  if (text === "")
    return (
      <Button look="quiet" small onClick={open}>
        Add a note
      </Button>
    );
  return (
    <div className="flex items-start gap-2 rounded-lg border border-line bg-paused-soft px-3 py-2">
      <p className="line-clamp-4 min-w-0 flex-1 wrap-anywhere whitespace-pre-line">
        <span className="sr-only">Note: </span>
        {text}
      </p>
      <Button look="quiet" small onClick={open}>
        Edit note
      </Button>
    </div>
  );
}

interface Typed {
  readonly text: string;
  /** The text of the document when the user left the field. */
  readonly left?: string;
}

/**
 * Properties of a field that shows `shown`, or else the typed text. Calls `change` after a pause and when the user
 * leaves the field or the page. Until then, the browser asks before it closes the page.
 */
export function useTyped(shown: string, change: (text: string) => void) {
  const [typed, setTyped] = useState<Typed>();
  // The document contains the typed text now.
  if (typed?.left !== undefined && typed.left !== shown) setTyped(undefined);
  const isOpen = typed !== undefined && typed.left === undefined;
  const pause = useEffectEvent((text: string) => change(text));
  const leave = useEffectEvent(() => {
    if (isOpen) change(typed.text);
  });
  const warn = useEffectEvent((event: BeforeUnloadEvent) => {
    if (typed?.text.trim() !== shown.trim()) event.preventDefault();
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    const ask = (event: BeforeUnloadEvent): void => warn(event);
    globalThis.addEventListener("beforeunload", ask);
    const timer = setTimeout(() => pause(typed.text), PAUSE_MS);
    return () => {
      globalThis.removeEventListener("beforeunload", ask);
      clearTimeout(timer);
    };
  }, [isOpen, typed]);
  // The language service of the page still answers while the page is being left.
  useLayoutEffect(() => () => leave(), []);
  return {
    value: typed?.text ?? shown,
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => setTyped({ text: target.value }),
    onBlur: () => {
      if (!isOpen) return;
      change(typed.text);
      setTyped({ text: typed.text, left: shown });
    },
  };
}

import { useRef, useState } from "react";
import { useTyped } from "./use-typed.ts";

interface NoteFieldProps {
  readonly label: string;
  readonly note: string | undefined;
  readonly onChange: (note: string | undefined) => void;
}

/** The longest note. */
const MAX_CHARACTERS = 5000;

/** A note, which is the `doc` of a part of the document. */
export function NoteField({ label, note = "", onChange }: NoteFieldProps) {
  const shown = note.trim();
  const field = useTyped(shown, (text) => {
    const clean = text.replaceAll(/[^\S\n]+$/gm, "").trim();
    if (clean !== shown) onChange(clean === "" ? undefined : clean);
  });
  return (
    <label className="block">
      <span className="mb-1 block text-[0.8125rem] text-soft">{label}</span>
      <textarea className="input min-h-16" maxLength={MAX_CHARACTERS} {...field} />
    </label>
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
      <button type="button" className="btn btn-small btn-quiet" onClick={open}>
        Add a note
      </button>
    );
  return (
    <div className="flex items-start gap-2 rounded-lg border border-line bg-paused-soft px-3 py-2">
      <p className="line-clamp-4 min-w-0 flex-1 wrap-anywhere whitespace-pre-line">
        <span className="sr-only">Note: </span>
        {text}
      </p>
      <button type="button" className="btn btn-small btn-quiet" onClick={open}>
        Edit note
      </button>
    </div>
  );
}

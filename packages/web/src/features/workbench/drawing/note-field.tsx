import { useEffect, useEffectEvent, useLayoutEffect, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { TextArea, Field } from "../../../ui/field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { showError } from "../../../ui/toast.tsx";

interface NoteFieldProps {
  readonly label: string;
  readonly note: string | undefined;
  readonly onChange: (note: string | undefined, isLate: boolean) => Promise<boolean>;
  /** Absent: the field is always shown. */
  readonly onLeave?: () => void;
}

/** Maximum length of a note. */
const MAX_CHARACTERS = 5000;

/** The pause in typing after which text becomes part of the document. */
const PAUSE_MS = 700;

/** A note, which is the `doc` of a part of the document. */
export function NoteField({ label, note = "", onChange, onLeave }: NoteFieldProps) {
  const clean = (text: string): string => text.replaceAll(/[^\S\n]+$/gm, "").trim();
  const { field, theirs } = useTyped(note.trim(), clean, (text, isLate) => onChange(text || undefined, isLate));
  const blur = (): void => {
    field.onBlur();
    if (theirs === undefined) onLeave?.();
  };
  return (
    <>
      <Field label={label} isSmall>
        <TextArea
          className="min-h-16"
          maxLength={MAX_CHARACTERS}
          {...field}
          autoFocus={onLeave !== undefined}
          onBlur={blur}
        />
      </Field>
      <OtherText of={theirs} />
    </>
  );
}

/** The note about the whole network, above its drawing. */
export function NetworkNote({ note, onChange }: Pick<NoteFieldProps, "note" | "onChange">) {
  const [isOpen, setIsOpen] = useState(false);
  const open = (): void => setIsOpen(true);
  const text = note?.trim() ?? "";
  if (isOpen)
    return (
      <div className="card px-3 py-2">
        <NoteField label="Note about the network" note={note} onChange={onChange} onLeave={() => setIsOpen(false)} />
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
  /** Texts of the document that the user has seen, then those that this field asks for. Any other is someone else's. */
  readonly known: readonly string[];
  /** True if the user has left the field. */
  readonly isLeft?: boolean;
}

/** Resolves to false if the document was not changed. `isLate`: an earlier change of the field is not shown yet. */
type Change = (text: string, isLate: boolean) => Promise<boolean>;

/**
 * Properties of a field that shows `shown`, or else the typed text. Calls `change` after a pause and when the user
 * leaves the field or the page. Until then, the browser asks before it closes the page. If someone else has changed the
 * text meanwhile, the user decides between `theirs` and the typed one.
 */
export function useTyped(shown: string, clean: (text: string) => string, change: Change) {
  const [typed, setTyped] = useState<Typed>();
  const { text = shown, known = [], isLeft = false } = typed ?? {};
  const [wanted, last] = [typed === undefined ? shown : clean(text), known.at(-1)];
  const isPending = wanted !== shown && wanted !== last;
  const isTheirs = typed !== undefined && !known.includes(shown);
  // The document contains the typed text now, or someone else has replaced it.
  if (typed !== undefined && !isPending && (isTheirs || (isLeft && wanted === shown))) setTyped(undefined);
  else if (known.length > 1 && shown === last) setTyped({ text, known: [shown], isLeft });
  const commit = async (): Promise<void> => {
    if (!isPending || isTheirs) return;
    setTyped((now) => now && { ...now, known: [...now.known, wanted] });
    if (await change(wanted, shown !== last)) return;
    setTyped((now) => now && { ...now, known: now.known.filter((asked) => asked !== wanted) });
  };
  const leave = useEffectEvent(() => {
    if (isPending && isTheirs) showError(`Someone changed the text meanwhile, so yours was not used: ${text}`);
    else void commit();
  });
  usePause(`${isLeft} ${shown} ${text}`, { isPending, act: () => void commit(), pauseMs: isLeft ? 0 : PAUSE_MS });
  // The language service of the page still answers while the page is being left.
  useLayoutEffect(() => () => leave(), []);
  const keep = (mine: string): void =>
    setTyped({ text: mine, known: known.includes(shown) ? known : [...known, shown] });
  return {
    theirs: isPending && isTheirs ? { text: shown, keep: () => keep(text), use: () => setTyped(undefined) } : undefined,
    field: {
      value: text,
      onType: (mine: string) => (isTheirs ? setTyped({ text: mine, known }) : keep(mine)),
      onBlur: () => setTyped(typed && { ...typed, isLeft: true }),
    },
  };
}

interface Paused {
  readonly isPending: boolean;
  readonly act: () => void;
  readonly pauseMs: number;
}

/** Calls `act` some time after `state` has changed. The browser asks before it closes a page where something is pending. */
function usePause(state: string, { isPending, act, pauseMs }: Paused): void {
  const later = useEffectEvent(act);
  useEffect(() => {
    const timer = setTimeout(later, pauseMs, state);
    return () => clearTimeout(timer);
  }, [state, pauseMs]);
  useEffect(() => {
    if (!isPending) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    globalThis.addEventListener("beforeunload", ask);
    return () => globalThis.removeEventListener("beforeunload", ask);
  }, [isPending]);
}

/** A text that someone else has given the field while the user typed in it. */
export function OtherText({ of }: { readonly of: ReturnType<typeof useTyped>["theirs"] }) {
  if (of === undefined) return null;
  return (
    <Notice role="alert" tone="failed" title="Someone changed this meanwhile">
      <p className="mb-2 whitespace-pre-line">{of.text === "" ? "It is empty now." : of.text}</p>
      <span className="flex flex-wrap gap-2">
        <Button small onClick={of.keep}>
          Keep my text
        </Button>
        <Button small onClick={of.use}>
          Use the other text
        </Button>
      </span>
    </Notice>
  );
}

export const trimmed = (text: string): string => text.trim();

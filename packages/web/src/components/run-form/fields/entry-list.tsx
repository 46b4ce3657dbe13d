import { type ReactNode, useEffect, useId, useState } from "react";
import { Button, IconButton } from "../../../ui/button.tsx";
import { TextArea } from "../../../ui/field.tsx";
import { jsonPointer } from "@weft/shared/json-pointer.ts";
import { numberText } from "@weft/shared/text/count-text.ts";
import { useVirtualList, VirtualList } from "../../../ui/virtual-list.tsx";
import type { FormPath } from "../model/form-store.ts";
import { onReveal } from "./form-context.ts";

/** Longer lists are virtualized in their own scroll box. */
const LONGEST_WHOLE = 12;

/** The entries of a list, each in its own element. */
export function EntryList(props: EntryListProps) {
  const { count, renderEntry } = props;
  if (count > LONGEST_WHOLE) return <LongEntryList {...props} />;
  return (
    <ol className="space-y-1.5">
      {Array.from({ length: count }, (_, place) => (
        <li key={place}>{renderEntry(place)}</li>
      ))}
    </ol>
  );
}

interface EntryButtonsProps {
  readonly name: string;
  readonly place: number;
  readonly entries: readonly unknown[];
  readonly onChange: (entries: readonly unknown[]) => void;
}

/** Moves one entry of a list up or down, or removes it. */
export function EntryButtons({ name, place, entries, onChange }: EntryButtonsProps) {
  const isLast = place === entries.length - 1;
  const buttons = [
    { label: `Move ${name} up`, icon: "up", disabled: place === 0, next: () => swapped(entries, place - 1) },
    { label: `Move ${name} down`, icon: "down", disabled: isLast, next: () => swapped(entries, place) },
    { label: `Remove ${name}`, icon: "close", disabled: false, next: () => entries.toSpliced(place, 1) },
  ] as const;
  return (
    <span className="flex shrink-0">
      {buttons.map(({ label, icon, disabled, next }) => (
        <IconButton
          label={label}
          icon={icon}
          look="quiet"
          small
          className="max-md:min-w-11"
          iconClass="size-3.5"
          key={icon}
          title={label}
          disabled={disabled}
          onClick={() => onChange(next())}
        />
      ))}
    </span>
  );
}

/** The list with the entries at `place` and `place + 1` swapped. */
function swapped(entries: readonly unknown[], place: number): readonly unknown[] {
  const next = [...entries];
  [next[place], next[place + 1]] = [next[place + 1], next[place]];
  return next;
}

interface EntriesAsTextProps {
  readonly label: string;
  /** The entries as text, one line each. */
  readonly text: () => string;
  readonly onLines: (lines: readonly string[]) => void;
}

/** All entries of a list as text, to paste or edit at once. */
export function EntriesAsText({ label, text, onLines }: EntriesAsTextProps) {
  const id = useId();
  const [draft, setDraft] = useState<string | undefined>(undefined);
  if (draft === undefined)
    return (
      <Button aria-label={`Edit as text: ${label}`} onClick={() => setDraft(text())}>
        Edit as text
      </Button>
    );
  const apply = (): void => {
    const lines = draft.split(/\r?\n/).map((line) => line.trim());
    onLines(lines.filter((line) => line !== ""));
    setDraft(undefined);
  };
  return (
    <div className="mt-2 w-full">
      <label htmlFor={id} className="mb-1 block font-medium">
        {label}, one entry per line
      </label>
      <TextArea code id={id} rows={10} wrap="off" value={draft} onType={setDraft} />
      <span className="mt-2 flex gap-2">
        <Button onClick={apply}>Apply</Button>
        <Button look="quiet" onClick={() => setDraft(undefined)}>
          Cancel
        </Button>
      </span>
    </div>
  );
}

interface EntryListProps {
  readonly path: FormPath;
  readonly label: string;
  readonly count: number;
  /** Estimated height in pixels of an entry that was not rendered yet. */
  readonly estimatedPx: number;
  readonly renderEntry: (place: number) => ReactNode;
}

/** A virtualized list. */
function LongEntryList({ path, label, count, estimatedPx, renderEntry }: EntryListProps) {
  const list = useVirtualList({ count, itemPx: estimatedPx });
  useRevealedEntry(path, (place) => {
    if (place < count) list.scrollTo(place, "center");
  });
  return (
    <VirtualList
      list={list}
      role="region"
      aria-label={`${label}: ${numberText(count)} entries`}
      tabIndex={0}
      className="max-h-72 rounded-lg border border-line bg-sunken/40 p-1.5"
      item={(place) => ({ "aria-posinset": place + 1, "aria-setsize": count, className: "pb-1.5" })}
      renderItem={renderEntry}
    />
  );
}

/** Calls `reveal` with the index of an entry that should take the focus. */
function useRevealedEntry(path: FormPath, reveal: (place: number) => void): void {
  const pointer = jsonPointer(path);
  useEffect(() =>
    onReveal((wanted) => {
      const [place] = wanted.startsWith(`${pointer}/`) ? wanted.slice(pointer.length + 1).split("/") : [];
      if (place !== undefined) reveal(Number(place));
    }),
  );
}

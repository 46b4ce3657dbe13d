import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import { type ReactNode, type RefObject, type UIEvent, useLayoutEffect, useState } from "react";
import { formatClockTime } from "../../format/format-time.ts";
import { Button } from "../../ui/button.tsx";
import { VirtualList, useVirtualList } from "../../ui/virtual-list.tsx";
import type { ConsoleEntry } from "./event-log.ts";

/** Height of a collapsed line with its border. */
const LINE_PX = 27;

/** The distance from the end within which the view follows new lines. */
const END_PX = 40;

/** The stream, newest at the bottom; a line expands to indented JSON. Only visible lines are drawn. */
export function EntryList({ entries }: { readonly entries: readonly ConsoleEntry[] }) {
  const list = useVirtualList({ count: entries.length, itemPx: LINE_PX, keyOf: (index) => entries[index]?.id });
  const onScroll = useFollowEnd(list.box);
  const { isOpen, toggle } = useOpenLines();
  const renderItem = (index: number): ReactNode => {
    const entry = entries[index];
    return entry !== undefined && <EntryRow entry={entry} open={isOpen(entry.id)} onToggle={() => toggle(entry.id)} />;
  };
  return (
    <VirtualList
      list={list}
      tabIndex={0}
      role="region"
      aria-label="Received and sent messages"
      className="card code h-[min(38rem,70vh)]"
      onScroll={onScroll}
      empty={<p className="p-4 font-sans text-soft">Connect, then subscribe to see events here.</p>}
      renderItem={renderItem}
    />
  );
}

function useOpenLines() {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const toggle = (id: number): void =>
    setOpen((old) => (old.has(id) ? new Set([...old].filter((entry) => entry !== id)) : new Set([...old, id])));
  return { isOpen: (id: number) => open.has(id), toggle };
}

const MARKS = { received: "←", sent: "→", note: "·" } as const;

function EntryRow({
  entry,
  open,
  onToggle,
}: {
  readonly entry: ConsoleEntry;
  readonly open: boolean;
  readonly onToggle: () => void;
}) {
  return (
    <div className="border-b border-line/60">
      <Button
        look="bare"
        aria-expanded={open}
        className="flex h-6.5 w-full items-center gap-3 px-3 text-left -outline-offset-2 hover:bg-sunken"
        onClick={onToggle}
      >
        <span className="text-soft">
          <span aria-hidden="true">{MARKS[entry.direction]}</span>
          <span className="sr-only">{entry.direction}</span>
        </span>
        <span className="w-14 shrink-0 text-right tabular-nums">{entry.seq}</span>
        <span className="shrink-0 text-soft tabular-nums">{formatClockTime(entry.time)}</span>
        <span className="w-32 shrink-0 truncate font-semibold">{entry.type}</span>
        <span className="truncate text-soft">{entry.text}</span>
      </Button>
      {open && <pre className="bg-sunken px-3 py-2 wrap-anywhere whitespace-pre-wrap">{indented(entry.text)}</pre>}
    </div>
  );
}

function indented(text: string): string {
  try {
    return JSON.stringify(parseExactJson(text), null, 2);
  } catch {
    return text; // text that is not JSON is shown unchanged
  }
}

/** Keeps a scroll box at its end after every render, until the user scrolls up. Returns the handler for scrolling. */
function useFollowEnd(box: RefObject<HTMLDivElement | null>): (event: UIEvent<HTMLDivElement>) => void {
  const [following, setFollowing] = useState(true);
  useLayoutEffect(() => {
    if (following) box.current?.scrollTo({ top: box.current.scrollHeight });
  });
  return ({ currentTarget }) =>
    setFollowing(currentTarget.scrollHeight - currentTarget.scrollTop - currentTarget.clientHeight < END_PX);
}

import type { FileEntry } from "@weft/shared/records/process-record.ts";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";
import { formatBytes } from "../../../format/format-bytes.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { TimeAgo } from "../../../ui/time-text.tsx";
import { mismatch, type WantedEntry } from "./entry-order.ts";

const ROW_PX = 36;

interface FolderEntriesProps {
  readonly entries: readonly FileEntry[];
  readonly wanted: WantedEntry;
  /** Selected locations; undefined if a click selects a single file at once. */
  readonly chosen: ReadonlySet<string> | undefined;
  readonly onPress: (entry: FileEntry) => void;
}

/** A virtualized list of folders and files with size and date. */
export function FolderEntries({ entries, wanted, chosen, onPress }: FolderEntriesProps) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  return (
    <div ref={box} tabIndex={0} role="region" aria-label="Entries" className="max-h-[50vh] overflow-y-auto">
      <ul className="relative" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start, key }) => {
          const entry = entries[index];
          if (entry === undefined) return null;
          return (
            <li
              key={key}
              ref={rows.measureElement}
              data-index={index}
              className="absolute inset-x-0 border-b border-line"
              style={{ top: start }}
            >
              <Entry
                entry={entry}
                reason={mismatch(entry, wanted)}
                isChosen={chosen?.has(entry.location)}
                onPress={() => onPress(entry)}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

interface EntryProps {
  readonly entry: FileEntry;
  readonly reason: string;
  readonly isChosen: boolean | undefined;
  readonly onPress: () => void;
}

function Entry({ entry, reason, isChosen, onPress }: EntryProps) {
  const isFolder = entry.kind === "folder";
  return (
    <Button
      look="bare"
      disabled={reason !== ""}
      aria-pressed={isFolder ? undefined : isChosen}
      className="flex min-h-9 w-full items-center gap-2.5 rounded px-2 text-left -outline-offset-2 not-disabled:hover:bg-sunken disabled:text-soft aria-pressed:bg-accent-soft max-md:min-h-11"
      onClick={onPress}
    >
      <Icon
        name={isChosen === true ? "check" : isFolder ? "folder" : "file"}
        className={`size-4 ${isChosen === true ? "text-accent" : "text-soft"}`}
      />
      <span className="min-w-0 flex-1 truncate">{entry.name}</span>
      {reason !== "" && <span className="text-small text-soft">{reason}</span>}
      {entry.modified_at !== null && !isFolder && (
        <span className="text-small text-soft max-sm:hidden">
          <TimeAgo time={entry.modified_at} />
        </span>
      )}
      {entry.size !== null && (
        <span className="w-18 text-right text-small text-soft tabular-nums">{formatBytes(entry.size)}</span>
      )}
      {isFolder && <Icon name="chevronRight" className="size-3.5 text-soft" />}
    </Button>
  );
}

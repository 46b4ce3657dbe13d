import type { FileEntry } from "@weft/shared/records/process-record.ts";
import type { ReactNode } from "react";
import { formatBytes } from "../../../format/format-bytes.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { TimeAgo } from "../../../ui/time-text.tsx";
import { VirtualList, useVirtualList } from "../../../ui/virtual-list.tsx";
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
  const list = useVirtualList({ count: entries.length, itemPx: ROW_PX });
  const renderItem = (index: number): ReactNode => {
    const entry = entries[index];
    return (
      entry !== undefined && (
        <Entry
          entry={entry}
          reason={mismatch(entry, wanted)}
          isChosen={chosen?.has(entry.location)}
          onPress={() => onPress(entry)}
        />
      )
    );
  };
  return (
    <VirtualList
      list={list}
      role="region"
      aria-label="Entries"
      tabIndex={0}
      className="max-h-[50vh]"
      item={() => ({ className: "border-b border-line" })}
      renderItem={renderItem}
    />
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

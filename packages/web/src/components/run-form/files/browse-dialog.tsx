import { useQuery } from "@tanstack/react-query";
import type { FileEntry } from "@weft/shared/records/process-record.ts";
import { type ReactNode, useState } from "react";
import { browseQuery } from "../../../api/queries/file-queries.ts";
import { countText, numberText } from "@weft/shared/text/count-text.ts";
import type { FileValue } from "../../../format/value-text.ts";
import { Button } from "../../../ui/button.tsx";
import { Select } from "../../../ui/field.tsx";
import { Modal } from "../../../ui/modal.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { SearchField } from "../../../ui/search-field.tsx";
import {
  ENTRY_ORDERS,
  type EntryOrder,
  filterEntries,
  mismatch,
  sortEntries,
  type WantedEntry,
} from "./entry-order.ts";
import { formatBytes } from "../../../format/format-bytes.ts";
import { Icon } from "../../../ui/icon.tsx";
import { TimeAgo } from "../../../ui/time-text.tsx";
import { useVirtualList, VirtualList } from "../../../ui/virtual-list.tsx";

interface BrowseDialogProps {
  readonly kind: "File" | "Directory";
  /** Label of the input. */
  readonly label: string;
  readonly multiple: boolean;
  /** IRIs of the accepted formats; absent: any. */
  readonly formats?: readonly string[] | undefined;
  /** Called once for each file or folder, in the order of the list. */
  readonly onChoose: (file: FileValue) => void;
  readonly onClose: () => void;
}

interface Folder {
  readonly name: string;
  readonly location: string;
}

type Chosen = ReadonlyMap<string, FileEntry>;

const TOP: Folder = { name: "Data folders", location: "" };
const NONE: Chosen = new Map();
const ANY: readonly string[] = [];

/** Picks files or folders from the data folders that the server was started with. */
export default function BrowseDialog({ kind, label, multiple, formats = ANY, onChoose, onClose }: BrowseDialogProps) {
  const [way, setWay] = useState<readonly [Folder, ...Folder[]]>([TOP]);
  const [chosen, setChosen] = useState(NONE);
  const here = way.at(-1) ?? TOP;
  const finish = (files: readonly FileValue[]): void => {
    for (const file of files) onChoose(file);
    onClose();
  };
  const add = (): void => finish([...chosen.values()].map((entry) => valueOf("File", entry)));
  const takes = multiple && kind === "File";
  return (
    <Modal
      title={`${kind === "Directory" ? "Select a folder" : multiple ? "Add files" : "Select a file"}${kind === "File" && multiple ? " to" : " for"} ${label}`}
      onClose={onClose}
    >
      <FolderWay way={way} onGo={(depth) => setWay([TOP, ...way.slice(1, depth + 1)])} />
      <OpenFolder
        key={here.location}
        location={here.location}
        wanted={{ kind, formats }}
        chosen={takes ? chosen : undefined}
        onChange={setChosen}
        onOpen={({ name, location }) => setWay([...way, { name, location }])}
        onPick={(entry) => finish([valueOf("File", entry)])}
      />
      <div className="mt-3 flex justify-end">
        {takes && (
          <Button look="primary" disabled={chosen.size === 0} onClick={add}>
            Add {countText(chosen.size, "file")}
          </Button>
        )}
        {kind === "Directory" && here !== TOP && (
          <Button look="primary" onClick={() => finish([valueOf("Directory", here)])}>
            Use this folder
          </Button>
        )}
      </div>
    </Modal>
  );
}

function valueOf(kind: FileValue["class"], { location, name }: Folder): FileValue {
  return { class: kind, location, basename: name };
}

/** Breadcrumbs of the folders down to the current one. */
function FolderWay({ way, onGo }: { readonly way: readonly Folder[]; readonly onGo: (depth: number) => void }) {
  return (
    <nav aria-label="Folder" className="mb-2 flex flex-wrap gap-1">
      {way.map((folder, depth) => (
        <Button
          look="quiet"
          small
          key={folder.location}
          disabled={depth === way.length - 1}
          onClick={() => onGo(depth)}
        >
          {folder.name}
        </Button>
      ))}
    </nav>
  );
}

interface OpenFolderProps {
  readonly location: string;
  readonly wanted: WantedEntry;
  /** By location, in this folder and others; undefined if only one file can be selected. */
  readonly chosen: Chosen | undefined;
  readonly onChange: (chosen: Chosen) => void;
  readonly onOpen: (entry: FileEntry) => void;
  readonly onPick: (entry: FileEntry) => void;
}

function OpenFolder({ location, ...props }: OpenFolderProps) {
  const [text, setText] = useState("");
  const [order, setOrder] = useState<EntryOrder>("name");
  const [prefix, setPrefix] = useState("");
  const folder = useQuery(browseQuery(location, prefix));
  const change = (next: string): void => {
    setText(next);
    if (next === "") setPrefix("");
  };
  return (
    <>
      {location !== "" && (
        <div className="mb-2 flex gap-2">
          <SearchField
            className="flex-1"
            label="Filter by name"
            value={text}
            onChange={change}
            onEnter={() => setPrefix(text.trim())}
          />
          <Select className="w-auto" aria-label="Sort by" value={order} options={ENTRY_ORDERS} onChoose={setOrder} />
        </div>
      )}
      <QueryView query={folder}>
        {(data) => (
          <>
            <FolderList
              {...props}
              entries={sortEntries(filterEntries(data.entries, text), order)}
              isTop={location === ""}
            />
            {!data.isWhole && <CutNote shown={data.entries.length} total={data.total} />}
          </>
        )}
      </QueryView>
    </>
  );
}

function CutNote({ shown, total }: { readonly shown: number; readonly total: number | null }) {
  return (
    <p className="mt-2 text-canceled">
      Showing the first {numberText(shown)} of {total === null ? "many" : numberText(total)} entries. To search all,
      type the start of a name and press Enter.
    </p>
  );
}

interface FolderListProps extends Omit<OpenFolderProps, "location"> {
  readonly entries: readonly FileEntry[];
  readonly isTop: boolean;
}

/** The folders and files with size and date, of which only the visible ones are drawn. */
function FolderList({ entries, isTop, wanted, chosen, onChange, onOpen, onPick }: FolderListProps) {
  const list = useVirtualList({ count: entries.length, itemPx: ROW_PX });
  if (entries.length === 0)
    return <p className="text-soft">{isTop ? "No data folders are configured on this server." : "No matches."}</p>;
  const fitting = entries.filter((entry) => entry.kind === "file" && mismatch(entry, wanted) === "");
  const isAll = chosen !== undefined && fitting.every(({ location }) => chosen.has(location));
  const press = (entry: FileEntry): void => {
    if (entry.kind === "folder") onOpen(entry);
    else if (chosen === undefined) onPick(entry);
    else onChange(toggled(chosen, [entry], !chosen.has(entry.location)));
  };
  const renderItem = (index: number): ReactNode => {
    const entry = entries[index];
    if (entry === undefined) return null;
    const isChosen = chosen?.has(entry.location);
    return <Entry entry={entry} reason={mismatch(entry, wanted)} isChosen={isChosen} onPress={() => press(entry)} />;
  };
  return (
    <>
      {chosen !== undefined && fitting.length > 1 && (
        <Button small className="mb-2" onClick={() => onChange(toggled(chosen, fitting, !isAll))}>
          {isAll ? "Deselect all" : `Select all ${numberText(fitting.length)}`}
        </Button>
      )}
      <VirtualList
        list={list}
        role="region"
        aria-label="Entries"
        tabIndex={0}
        className="max-h-[50vh]"
        item={() => ({ className: "border-b border-line" })}
        renderItem={renderItem}
      />
    </>
  );
}

function toggled(chosen: Chosen, entries: readonly FileEntry[], isChosen: boolean): Chosen {
  const next = new Map(chosen);
  for (const entry of entries) {
    if (isChosen) next.set(entry.location, entry);
    else next.delete(entry.location);
  }
  return next;
}

const ROW_PX = 36;

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

import { useQuery } from "@tanstack/react-query";
import type { FileEntry } from "@weft/shared/records/process-record.ts";
import { useState } from "react";
import { browseQuery } from "../../../api/file-queries.ts";
import { formatBytes } from "../../../format/format-bytes.ts";
import type { FileValue } from "../../../format/value-text.ts";
import { Icon } from "../../../ui/icon.tsx";
import { Modal } from "../../../ui/modal.tsx";
import { QueryView } from "../../../ui/query-view.tsx";

export interface BrowseDialogProps {
  readonly kind: "File" | "Directory";
  readonly multiple: boolean;
  readonly onChoose: (file: FileValue) => void;
  readonly onClose: () => void;
}

interface Folder {
  readonly name: string;
  readonly location: string;
}

const TOP: Folder = { name: "Data folders", location: "" };

/** Picks files or folders from the data folders that the server was started with. */
export default function BrowseDialog({ kind, multiple, onChoose, onClose }: BrowseDialogProps) {
  const [way, setWay] = useState<readonly [Folder, ...Folder[]]>([TOP]);
  const here = way.at(-1) ?? TOP;
  const pick = (file: FileValue): void => {
    onChoose(file);
    if (!multiple) onClose();
  };
  return (
    <Modal title={kind === "File" ? "Choose a file" : "Choose a folder"} onClose={onClose}>
      <div className="mb-2 flex flex-wrap items-center gap-1">
        <FolderWay way={way} onGo={(depth) => setWay([TOP, ...way.slice(1, depth + 1)])} />
        {kind === "Directory" && here !== TOP && (
          <button
            type="button"
            className="btn btn-primary btn-small ml-auto"
            onClick={() => pick({ class: "Directory", location: here.location, basename: here.name })}
          >
            Use this folder
          </button>
        )}
      </div>
      <FolderPage
        key={here.location}
        location={here.location}
        kind={kind}
        onOpen={(entry) => setWay([...way, { name: entry.name, location: entry.location }])}
        onPick={(entry) => pick({ class: "File", location: entry.location, basename: entry.name })}
      />
      {multiple && (
        <button type="button" className="btn btn-primary mt-3 ml-auto" onClick={onClose}>
          Done
        </button>
      )}
    </Modal>
  );
}

/** The folders from the top to here, each a way back. */
function FolderWay({ way, onGo }: { readonly way: readonly Folder[]; readonly onGo: (depth: number) => void }) {
  return (
    <nav aria-label="Folder" className="flex flex-wrap gap-1">
      {way.map((folder, depth) => (
        <button
          key={folder.location}
          type="button"
          className="btn btn-quiet btn-small"
          disabled={depth === way.length - 1}
          onClick={() => onGo(depth)}
        >
          {folder.name}
        </button>
      ))}
    </nav>
  );
}

interface FolderPageProps {
  readonly location: string;
  readonly kind: "File" | "Directory";
  readonly onOpen: (entry: FileEntry) => void;
  readonly onPick: (entry: FileEntry) => void;
}

function FolderPage({ location, kind, onOpen, onPick }: FolderPageProps) {
  const [page, setPage] = useState("");
  const folder = useQuery(browseQuery(location, page));
  return (
    <QueryView query={folder}>
      {(data) => (
        <>
          {data.entries.length === 0 && (
            <p className="text-soft">
              {location === "" ? "The server was started without data folders." : "This folder is empty."}
            </p>
          )}
          <ul className="divide-y divide-line">
            {data.entries.map((entry) => (
              <li key={entry.location}>
                <EntryButton
                  entry={entry}
                  disabled={kind === "Directory" && entry.kind === "file"}
                  onClick={() => (entry.kind === "folder" ? onOpen(entry) : onPick(entry))}
                />
              </li>
            ))}
          </ul>
          {data.next_page_token !== "" && (
            <button type="button" className="btn mt-2" onClick={() => setPage(data.next_page_token)}>
              Next entries
            </button>
          )}
        </>
      )}
    </QueryView>
  );
}

function EntryButton({
  entry,
  disabled,
  onClick,
}: {
  readonly entry: FileEntry;
  readonly disabled: boolean;
  readonly onClick: () => void;
}) {
  return (
    <button
      type="button"
      disabled={disabled}
      className="flex min-h-9 w-full items-center gap-2.5 rounded px-2 text-left -outline-offset-2 not-disabled:hover:bg-sunken disabled:text-soft max-md:min-h-11"
      onClick={onClick}
    >
      <Icon name={entry.kind === "folder" ? "folder" : "file"} className="size-4 text-soft" />
      <span className="min-w-0 flex-1 truncate">{entry.name}</span>
      {entry.size !== null && <span className="text-soft tabular-nums">{formatBytes(entry.size)}</span>}
      {entry.kind === "folder" && <Icon name="chevronRight" className="size-3.5 text-soft" />}
    </button>
  );
}

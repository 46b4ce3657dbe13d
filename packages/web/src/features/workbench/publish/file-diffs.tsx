import { useQuery } from "@tanstack/react-query";
import type { DraftFile, DraftFileList } from "@weft/shared/records/draft-record.ts";
import { useState } from "react";
import { draftFileQuery } from "../../../api/draft-queries.ts";
import { LineDiff } from "../../../components/line-diff.tsx";
import { formatBytes } from "../../../format/format-bytes.ts";
import { QueryView } from "../../../ui/query-view.tsx";

/** Changes of more files than this are loaded when they are opened. */
const OPEN = 10;

interface FileDiffsProps {
  readonly draftId: string;
  readonly list: DraftFileList;
}

/** Every file of a new version, with what changes in it. */
export function FileDiffs({ draftId, list: { revision, files, removed } }: FileDiffsProps) {
  if (files.length + removed.length === 0) return null;
  const changed = files.filter(({ state }) => state !== "unchanged");
  return (
    <section aria-labelledby="published-files" className="space-y-2">
      <h3 id="published-files" className="font-semibold">
        Files next to the document
      </h3>
      {changed.map((file, index) => (
        <ChangedFile key={file.path} draftId={draftId} revision={revision} file={file} isFirst={index < OPEN} />
      ))}
      <ul aria-label="Other files" className="space-y-1">
        {removed.map((path) => (
          <FileLine key={path} path={path} note="removed" />
        ))}
        {files.map(({ path, state }) => state === "unchanged" && <FileLine key={path} path={path} note="unchanged" />)}
      </ul>
    </section>
  );
}

function FileLine({ path, note }: { readonly path: string; readonly note: string }) {
  return (
    <li>
      <span className="code wrap-anywhere">{path}</span> <span className="text-soft">({note})</span>
    </li>
  );
}

interface ChangedFileProps {
  readonly draftId: string;
  readonly revision: number;
  readonly file: DraftFile;
  readonly isFirst: boolean;
}

function ChangedFile({ draftId, revision, file: { path, state, bytes }, isFirst }: ChangedFileProps) {
  const [isOpen, setIsOpen] = useState(isFirst);
  const query = useQuery({ ...draftFileQuery(draftId, revision, path), enabled: isOpen });
  return (
    <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer">
        <span className="code wrap-anywhere">{path}</span>{" "}
        <span className="text-soft">
          ({state}, {formatBytes(bytes)})
        </span>
      </summary>
      <QueryView query={query} rows={2}>
        {({ text, base_text: before }) =>
          text === null ? (
            <p className="text-soft">Not text, or too large to show.</p>
          ) : (
            <LineDiff label={`Changes of ${path}`} before={before ?? ""} after={text} />
          )
        }
      </QueryView>
    </details>
  );
}

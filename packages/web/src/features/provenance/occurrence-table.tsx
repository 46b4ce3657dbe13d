import { useQuery } from "@tanstack/react-query";
import type { FileOccurrence, FileOccurrenceList } from "@weft/shared/records/lineage-record.ts";
import { Link } from "react-router-dom";
import { fileOccurrencesQuery } from "../../api/lineage-queries.ts";
import { ownUrl } from "../../api/own-url.ts";
import { formatBytes } from "../../format/format-bytes.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Pager } from "../../ui/pager.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { TimeAgo } from "../../ui/time-text.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";
import { DataTable, type Column } from "../../ui/data-table.tsx";

const COLUMNS: readonly Column[] = [
  { label: "File" },
  { label: "Was" },
  { label: "In" },
  { label: "Written by" },
  { label: "Size", number: true },
  { label: "When" },
  { label: "Checksum" },
];

export interface OccurrenceTableProps {
  readonly q: string;
  readonly checksum: string;
  readonly run: string;
  readonly tool: string;
  readonly version: string;
}

/** Every place where a file that fits was read or written, newest first. */
export function OccurrenceTable({ q, checksum, run, tool, version }: OccurrenceTableProps) {
  const [page] = useSearchParam("page");
  const files = useQuery(
    fileOccurrencesQuery({
      q: q || undefined,
      checksum: checksum || undefined,
      run: run || undefined,
      tool: tool || undefined,
      version: version || undefined,
      pageSize: 50,
      pageToken: page || undefined,
    }),
  );
  return (
    <QueryView query={files}>
      {(data) =>
        data.files.length === 0 && data.next_page_token === "" && page === "" ? (
          <EmptyState
            text={
              checksum === "" ? "No file fits this search." : "No run has read or written a file with this content."
            }
          />
        ) : (
          <>
            <OccurrencePage data={data} />
            <Pager
              nextPageToken={data.next_page_token}
              shown={data.files.length}
              total={data.total}
              noun="occurrence"
            />
          </>
        )
      }
    </QueryView>
  );
}

/** A search among very many names may find nothing on one page and something on the next. */
function OccurrencePage({ data }: { readonly data: FileOccurrenceList }) {
  if (data.files.length === 0)
    return (
      <EmptyState
        text={
          data.next_page_token === ""
            ? "Nothing more fits this search."
            : "Of the newest names with this text none fits the rest of the search. The next page looks further."
        }
      />
    );
  return (
    <DataTable caption="Where the file was read or written" columns={COLUMNS}>
      {data.files.map((file, place) => (
        <OccurrenceRow key={place} file={file} />
      ))}
    </DataTable>
  );
}

function checksums({ checksum, sha256 }: FileOccurrence): string {
  return [checksum, sha256 === null ? null : `sha256 ${sha256}`].filter((text) => text !== null).join(", ");
}

function OccurrenceRow({ file }: { readonly file: FileOccurrence }) {
  return (
    <tr>
      <td data-label="File" className="font-medium">
        <FileName file={file} />
      </td>
      <td data-label="Was">
        {file.direction === "input" ? "read" : "written"} as{" "}
        <span className="text-soft">
          {file.port}
          {file.place}
        </span>
      </td>
      <td data-label="In">
        <Link className="link" to={`/run/${file.run_id}?tab=prov`}>
          {file.process}
        </Link>
        {file.job_id === null
          ? " (the run)"
          : `, ${[file.step, file.sample_id].filter((part) => part !== null && part !== "").join(", ")}`}
      </td>
      <td data-label="Written by">
        <Writer file={file} />
      </td>
      <td data-label="Size" className="number">
        {file.size === null ? "" : formatBytes(file.size)}
      </td>
      <td data-label="When">
        <TimeAgo time={file.time} />
      </td>
      <td data-label="Checksum" className="code max-w-40 truncate" title={checksums(file)}>
        {file.checksum ?? file.sha256}
      </td>
    </tr>
  );
}

function FileName({ file: { url, name } }: { readonly file: FileOccurrence }) {
  if (url === null) return name;
  return (
    <a className="link" href={ownUrl(url)}>
      {name}
    </a>
  );
}

/** The job that wrote the file. */
function Writer({ file }: { readonly file: FileOccurrence }) {
  const jobId = file.direction === "output" ? (file.job_id ?? file.source_job_id) : file.source_job_id;
  if (jobId === null) return <span className="text-soft">outside</span>;
  return (
    <Link className="link" to={`/run/${file.run_id}?tab=jobs&job=${jobId}`}>
      {jobId}
    </Link>
  );
}

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Job } from "@weft/shared/records/job-record.ts";
import type { FileOccurrence } from "@weft/shared/records/lineage-record.ts";
import { shellLine } from "@weft/shared/records/shell-line.ts";
import type { RouteQueryInput } from "@weft/shared/routes/routes.ts";
import { useState } from "react";
import { ownUrl } from "../../api/base-path.ts";
import { jobQuery } from "../../api/queries/job-queries.ts";
import { routeQuery } from "../../api/route-query.ts";
import { ChecksumLink } from "../../components/file-link.tsx";
import { formatBytes } from "../../format/format-bytes.ts";
import { links } from "../../format/links.ts";
import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Pager } from "../../ui/pager.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import { TimeAgo } from "../../ui/time-text.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";
import { NameLink, TextLink } from "../../ui/text-link.tsx";
import { fileSentence } from "./file-sentence.ts";
import { type FilePlaces, foldPublished } from "./fold-lineage.ts";

const PAGE_SIZE = 50;

export type FileSearch = Omit<NonNullable<RouteQueryInput<"GET /api/provenance/files">>, "page_size" | "page_token">;

export interface FileListProps {
  readonly label: string;
  readonly search: FileSearch;
  /** Noun for the files, in the singular. */
  readonly noun: string;
  /** The text for an empty list. */
  readonly empty: string;
  /** True if the details of the first file are open at first. */
  readonly opensFirst?: boolean;
}

/** Files with a sentence each, a page at a time in a box that scrolls. */
export function FileList({ label, search, noun, empty, opensFirst = false }: FileListProps) {
  const [page] = useSearchParam("page");
  const files = useQuery(filesQuery({ ...search, page_size: PAGE_SIZE, page_token: page }));
  return (
    <QueryView query={files}>
      {({ files: found, total, next_page_token: nextPageToken }) => (
        <>
          {found.length === 0 ? (
            <Notice>{nextPageToken === "" ? empty : NONE_ON_THIS_PAGE}</Notice>
          ) : (
            <ul
              aria-label={label}
              tabIndex={0}
              className="card max-h-[min(60vh,44rem)] divide-y divide-line overflow-auto px-3"
            >
              {foldPublished(found).map((places, index) => (
                <FileItem
                  key={`${places[0].time} ${places[0].url} ${index}`}
                  places={places}
                  startsOpen={opensFirst && index === 0}
                />
              ))}
            </ul>
          )}
          <Pager nextPageToken={nextPageToken} shown={found.length} total={total} noun={noun} />
        </>
      )}
    </QueryView>
  );
}

const filesQuery = (query: RouteQueryInput<"GET /api/provenance/files">) => ({
  ...routeQuery("GET /api/provenance/files", { query }),
  placeholderData: keepPreviousData,
});

/** A search among very many names may find nothing on one page and something on the next. */
const NONE_ON_THIS_PAGE = "No matches on this page. Continue searching.";

interface FileItemProps {
  readonly places: FilePlaces;
  readonly startsOpen?: boolean;
}

function FileItem({ places, startsOpen = false }: FileItemProps) {
  const [file] = places;
  const [open, setOpen] = useState(startsOpen);
  return (
    <li className="flex items-start gap-1 py-1.5">
      <Icon name={open ? "chevronDown" : "chevronRight"} className="mt-1.5 size-3.5 text-soft" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <Button look="link" className="font-medium wrap-anywhere" aria-expanded={open} onClick={() => setOpen(!open)}>
            {file.name}
          </Button>
          {file.url !== null && (
            <a className="text-small text-soft hover:underline" href={ownUrl(file.url)}>
              Open file
            </a>
          )}
          {file.size !== null && <span className="text-soft tabular-nums">{formatBytes(file.size)}</span>}
          <span className="text-small text-soft">{places.map(placeText).join(", ")}</span>
          <span className="ml-auto text-small text-soft max-md:hidden">
            <TimeAgo time={file.time} />
          </span>
        </p>
        <FileSentence file={file} />
        {open && <FileDetails places={places} />}
      </div>
    </li>
  );
}

/** The port of the run, or the step and sample of the job that read or wrote it. */
function placeText({ job_id: jobId, direction, port, step, sample_id: sample }: FileOccurrence): string {
  if (jobId === null) return `${direction} ${port}`;
  const parts = [step ? `step ${step}` : "", sample === null ? "" : `sample ${sample}`];
  return parts.filter((part) => part !== "").join(", ");
}

function FileSentence({ file }: { readonly file: FileOccurrence }) {
  return (
    <p className="text-compact wrap-anywhere text-soft">
      {fileSentence(file).map(({ text, to }, place) =>
        to === undefined ? (
          text
        ) : (
          <TextLink key={place} to={to}>
            {text}
          </TextLink>
        ),
      )}
    </p>
  );
}

/** The file's checksums, and the job that wrote it with its inputs. */
function FileDetails({ places }: Pick<FileItemProps, "places">) {
  const [{ origin }] = places;
  return (
    <div className="mt-1.5 space-y-2 border-l-2 border-accent/40 pl-3">
      {places.map((file) => (
        <PlaceDetails key={file.job_id} file={file} />
      ))}
      {origin !== null && <FileMaker runId={origin.run_id} jobId={origin.job_id} />}
    </div>
  );
}

function PlaceDetails({ file }: { readonly file: FileOccurrence }) {
  const { direction, port, place, job_id: jobId, url, checksum, sha256 } = file;
  const content = checksum ?? sha256;
  return (
    <p className="flex min-w-0 flex-wrap items-baseline gap-x-3 text-soft">
      <span>
        {direction} {port}
        {place} {jobId === null ? "" : `of job ${jobId}`}
      </span>
      {content !== null && <ChecksumLink checksum={content} />}
      {url !== null && (
        <a className="hover:underline" href={ownUrl(url)}>
          File
        </a>
      )}
    </p>
  );
}

const SHOWN_READ = 20;

/** The job that wrote a file: its command line, and the files that it read, each of which can be traced further. */
function FileMaker({ runId, jobId }: { readonly runId: string; readonly jobId: string }) {
  const job = useQuery(jobQuery(runId, jobId));
  const read = useQuery(filesQuery({ run: runId, job: jobId, direction: "input", page_size: SHOWN_READ }));
  return (
    <>
      <QueryView query={job} rows={2}>
        {(data) => <JobLine job={data} />}
      </QueryView>
      <h3 className="label-caps">Files read</h3>
      <QueryView query={read} rows={2}>
        {({ files, total }) => (
          <>
            {files.length === 0 && <p className="text-soft">No files.</p>}
            <ul>
              {files.map((file, place) => (
                <FileItem key={place} places={[file]} />
              ))}
            </ul>
            {total !== null && total > files.length && (
              <p className="text-soft">
                … and {total - files.length} more, on{" "}
                <TextLink to={links.run(runId, { tab: "jobs", job: jobId })}>the page of the job</TextLink>.
              </p>
            )}
          </>
        )}
      </QueryView>
    </>
  );
}

/** A job in short: state, name, step, sample, tool and command line. */
function JobLine({ job }: { readonly job: Job }) {
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StateBadge state={job.state} />
        <NameLink to={links.run(job.run_id, { tab: "jobs", job: job.job_id })}>{job.job_id}</NameLink>
        {job.step !== "" && <span>step {job.step}</span>}
        {job.sample_id !== null && <span>sample {job.sample_id}</span>}
        {job.tool.id !== null && (
          <TextLink to={links.tool({ id: job.tool.id, version: job.tool.version })}>
            {job.tool.id} {job.tool.version}
          </TextLink>
        )}
      </p>
      {job.command !== undefined && job.command !== null && (
        <div className="mt-1.5">
          <CodeBlock label={`Command line of ${job.job_id}`} text={shellLine(job.command)} wrap maxHeight="9rem" />
        </div>
      )}
    </>
  );
}

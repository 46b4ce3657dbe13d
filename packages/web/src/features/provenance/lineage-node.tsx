import { useQuery } from "@tanstack/react-query";
import type { FileOccurrence } from "@weft/shared/records/lineage-record.ts";
import { useState } from "react";
import { jobQuery } from "../../api/job-queries.ts";
import { fileOccurrencesQuery } from "../../api/lineage-queries.ts";
import { Icon } from "../../ui/icon.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { JobLine } from "./job-line.tsx";
import { OccurrenceLine } from "./occurrence-line.tsx";

/** A file and, opened, the job of the same run that wrote it. */
export function LineageNode({ file, startsOpen }: { readonly file: FileOccurrence; readonly startsOpen: boolean }) {
  const [open, setOpen] = useState(startsOpen);
  if (file.source_job_id === null) {
    return (
      <li className="py-1.5 pl-7">
        <OccurrenceLine file={file} />
        <p className="text-[0.8125rem] text-soft">
          {file.direction === "input" ? "From outside the run" : "Not written by a job of this run"}
        </p>
      </li>
    );
  }
  return (
    <li className="py-1.5">
      <div className="flex items-start gap-1">
        <button
          type="button"
          aria-expanded={open}
          aria-label={`${open ? "Hide" : "Show"} what made ${file.name}`}
          className="flex size-6 shrink-0 items-center justify-center rounded hover:bg-sunken max-md:size-11"
          onClick={() => setOpen(!open)}
        >
          <Icon name={open ? "chevronDown" : "chevronRight"} className="size-3.5" />
        </button>
        <OccurrenceLine file={file} />
      </div>
      {open && <LineageJob runId={file.run_id} jobId={file.source_job_id} />}
    </li>
  );
}

/** The job that wrote a file: tool, command line, and the files it read, each of which can be followed on. */
function LineageJob({ runId, jobId }: { readonly runId: string; readonly jobId: string }) {
  const job = useQuery(jobQuery(runId, jobId));
  const inputs = useQuery(fileOccurrencesQuery({ run: runId, job: jobId, direction: "input", pageSize: 200 }));
  return (
    <div className="mt-1.5 ml-3 border-l-2 border-accent/40 pl-3 md:ml-7">
      <QueryView query={job} rows={2}>
        {(data) => <JobLine job={data} />}
      </QueryView>
      <h3 className="label-caps mt-2">It read</h3>
      <QueryView query={inputs} rows={2}>
        {(data) => <FilesRead files={data.files} />}
      </QueryView>
    </div>
  );
}

/** A port that brings many files from outside (a program and its library) is one line until it is opened. */
const FOLD_FROM = 3;

function FilesRead({ files }: { readonly files: readonly FileOccurrence[] }) {
  if (files.length === 0) return <p className="text-soft">No files.</p>;
  return (
    <ul>
      {[...Map.groupBy(files, (file) => file.port)].map(([port, group]) =>
        group.length >= FOLD_FROM && group.every((file) => file.source_job_id === null) ? (
          <li key={port} className="py-1.5 pl-7">
            <details>
              <summary className="w-fit cursor-pointer text-soft">
                {port}: {group.length} files from outside the run
              </summary>
              <ul>{group.map(occurrenceNode)}</ul>
            </details>
          </li>
        ) : (
          group.map(occurrenceNode)
        ),
      )}
    </ul>
  );
}

function occurrenceNode(file: FileOccurrence) {
  return <LineageNode key={`${file.port} ${file.name} ${file.checksum ?? ""}`} file={file} startsOpen={false} />;
}

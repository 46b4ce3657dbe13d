import { useState } from "react";
import type { JobTimes } from "../../../api/all-jobs.ts";
import { formatDuration } from "@weft/shared/text/format-duration.ts";
import { formatDateTime } from "../../../format/format-time.ts";
import { DataTable, type Column } from "../../../ui/data-table.tsx";
import { StateBadge } from "../../../ui/state-badge.tsx";
import type { TimelineRows } from "./arrange-rows.ts";
import { numberText } from "../../../format/count-text.ts";
import { Button } from "../../../ui/button.tsx";

const MORE = 200;

interface TimelineTableProps {
  readonly rows: TimelineRows;
  readonly nowMs: number;
  readonly onOpen: (jobId: string) => void;
}

/** The bars of the timeline as table rows, in order. */
export function TimelineTable({ rows, nowMs, onOpen }: TimelineTableProps) {
  const [shown, setShown] = useState(MORE);
  const columns: readonly Column<JobTimes>[] = [
    { label: "Step", cell: ({ step }) => (step === "" ? "Tool" : step) },
    { label: "Job", cell: (job) => <JobButton job={job} onOpen={onOpen} /> },
    { label: "State", cell: ({ state }) => <StateBadge state={state} /> },
    { label: "Queued", cell: (job) => formatDateTime(new Date(job.queuedMs).toISOString()) },
    {
      label: "Waited",
      number: true,
      cell: (job) => formatDuration((job.startedMs ?? job.endedMs ?? nowMs) - job.queuedMs),
    },
    {
      label: "Ran",
      number: true,
      cell: ({ startedMs, endedMs = nowMs }) => (startedMs === undefined ? "" : formatDuration(endedMs - startedMs)),
    },
  ];
  return (
    <>
      <DataTable
        caption="Timeline as a table"
        columns={columns}
        rows={rows.rows.slice(0, shown)}
        keyOf={({ id }) => id}
      />
      {rows.rows.length > shown && (
        <Button className="mt-3" onClick={() => setShown(shown + MORE)}>
          Show {Math.min(MORE, rows.rows.length - shown)} more of {numberText(rows.rows.length)}
        </Button>
      )}
    </>
  );
}

function JobButton({ job, onOpen }: Pick<TimelineTableProps, "onOpen"> & { readonly job: JobTimes }) {
  return (
    <Button look="link" className="max-md:min-h-11" aria-haspopup="dialog" onClick={() => onOpen(job.id)}>
      {job.sample === null ? job.id : `${job.id} (${job.sample})`}
    </Button>
  );
}

import { useState } from "react";
import type { JobTimes } from "../../../api/all-jobs.ts";
import { formatDuration } from "@weft/shared/text/format-duration.ts";
import { formatDateTime } from "../../../format/format-time.ts";
import { DataTable, type Column } from "../../../ui/data-table.tsx";
import { StateBadge } from "../../../ui/state-badge.tsx";
import type { TimelineRows } from "./arrange-rows.ts";
import { numberText } from "../../../format/count-text.ts";
import { Button } from "../../../ui/button.tsx";

const COLUMNS: readonly Column[] = [
  { label: "Step" },
  { label: "Job" },
  { label: "State" },
  { label: "Queued" },
  { label: "Waited", number: true },
  { label: "Ran", number: true },
];

const MORE = 200;

interface TimelineTableProps {
  readonly rows: TimelineRows;
  readonly nowMs: number;
  readonly onOpen: (jobId: string) => void;
}

/** The bars of the timeline as table rows, in order. */
export function TimelineTable({ rows, nowMs, onOpen }: TimelineTableProps) {
  const [shown, setShown] = useState(MORE);
  return (
    <>
      <DataTable caption="Timeline as a table" columns={COLUMNS}>
        {rows.rows.slice(0, shown).map((job) => (
          <TimelineRow key={job.id} job={job} nowMs={nowMs} onOpen={onOpen} />
        ))}
      </DataTable>
      {rows.rows.length > shown && (
        <Button className="mt-3" onClick={() => setShown(shown + MORE)}>
          Show {Math.min(MORE, rows.rows.length - shown)} more of {numberText(rows.rows.length)}
        </Button>
      )}
    </>
  );
}

interface TimelineRowProps extends Omit<TimelineTableProps, "rows"> {
  readonly job: JobTimes;
}

function TimelineRow({ job, nowMs, onOpen }: TimelineRowProps) {
  return (
    <tr>
      <td data-label="Step">{job.step === "" ? "Tool" : job.step}</td>
      <td data-label="Job">
        <Button look="link" className="max-md:min-h-11" aria-haspopup="dialog" onClick={() => onOpen(job.id)}>
          {job.sample === null ? job.id : `${job.id} (${job.sample})`}
        </Button>
      </td>
      <td data-label="State">
        <StateBadge state={job.state} />
      </td>
      <td data-label="Queued">{formatDateTime(new Date(job.queuedMs).toISOString())}</td>
      <td data-label="Waited" className="number">
        {formatDuration((job.startedMs ?? job.endedMs ?? nowMs) - job.queuedMs)}
      </td>
      <td data-label="Ran" className="number">
        {job.startedMs === undefined ? "" : formatDuration((job.endedMs ?? nowMs) - job.startedMs)}
      </td>
    </tr>
  );
}

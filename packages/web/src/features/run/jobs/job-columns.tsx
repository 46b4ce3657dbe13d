import type { JobSummary } from "@weft/shared/records/job-record.ts";
import type { JobSortKey } from "@weft/shared/records/job-sorts.ts";
import { formatDuration } from "@weft/shared/text/format-duration.ts";
import type { ReactNode } from "react";
import { JobBadge } from "../../../components/badges.tsx";
import { formatBytes } from "../../../format/format-bytes.ts";
import { STATE_LOOKS } from "../../../format/state-look.ts";
import { Persisted, usePersisted } from "../../../ui/persisted.ts";
import { DurationText } from "../../../ui/time-text.tsx";

export interface JobColumn {
  readonly id: string;
  readonly label: string;
  readonly sort: JobSortKey;
  /** Right-aligned. */
  readonly number?: boolean;
  /** Width in pixels. It is fixed, so that columns do not move when scrolling adds and removes rows. */
  readonly px: number;
  /** The complete text of a cell that may be too long for its column. */
  readonly text?: (job: JobSummary) => string;
  readonly render: (job: JobSummary) => ReactNode;
}

/** The job's name, which is always shown. */
export const JOB_COLUMN: Omit<JobColumn, "render"> = { id: "job", label: "Job", sort: "job_id", px: 222 };

/** All other columns, in their order. */
export const JOB_COLUMNS: readonly JobColumn[] = [
  { id: "state", label: "State", sort: "state", px: 152, render: (job) => <JobBadge job={job} /> },
  { id: "step", label: "Step", sort: "step", px: 110, text: ({ step }) => step, render: ({ step }) => lastPart(step) },
  { id: "sample", label: "Sample", sort: "sample_id", px: 98, text: sampleText, render: sampleText },
  { id: "message", label: "Message", sort: "message", px: 212, text: messageText, render: messageText },
  { id: "exit", label: "Exit code", sort: "exit_code", number: true, px: 78, render: exitText },
  {
    id: "queue",
    label: "Queue time",
    sort: "queued_ms",
    number: true,
    px: 88,
    render: (job) => <QueueTime job={job} />,
  },
  { id: "run", label: "Run time", sort: "running_ms", number: true, px: 84, render: (job) => <RunTime job={job} /> },
  { id: "memory", label: "Peak memory", sort: "max_rss_bytes", number: true, px: 102, render: memoryText },
  { id: "cpu", label: "CPU", sort: "cpu_ms", number: true, px: 76, render: cpuText },
  { id: "attempt", label: "Attempt", sort: "attempt", number: true, px: 70, render: ({ attempt }) => attempt },
  { id: "host", label: "Host", sort: "backend", px: 96, render: hostText },
  { id: "cache", label: "Cache", sort: "cache", px: 62, render: ({ cache_decision: decision }) => decision ?? "" },
];

/** Columns that are initially hidden, because they are useful for few jobs. */
const HIDDEN_AT_FIRST: readonly string[] = ["cpu", "attempt", "host", "cache"];

/** The step within its network: `smooth` of `measure_subjects/smooth`. */
function lastPart(step: string): string {
  return step.slice(step.lastIndexOf("/") + 1);
}

function sampleText({ sample_id: sample, scatter_index: index }: JobSummary): string {
  return sample ?? (index.length > 0 ? `#${index.join(".")}` : "");
}

/** Counts up while the job is queued. */
function QueueTime({ job: { state, timing } }: { readonly job: JobSummary }) {
  if (timing.queued_ms !== null) return formatDuration(timing.queued_ms);
  return STATE_LOOKS[state].final ? "" : <DurationText start={timing.queued_at} end={null} durationMs={null} />;
}

export function RunTime({ job: { timing } }: { readonly job: JobSummary }) {
  if (timing.started_at === null) return null;
  return <DurationText start={timing.started_at} end={timing.ended_at} durationMs={timing.running_ms} />;
}

function cpuText({ resources: { used } }: JobSummary): string {
  return used.cpu_ms === null ? "" : formatDuration(used.cpu_ms);
}

export function memoryText({ resources: { used } }: JobSummary): string {
  return used.max_rss_bytes === null ? "" : formatBytes(used.max_rss_bytes);
}

function exitText({ state, exit_code: code }: JobSummary): string {
  return STATE_LOOKS[state].final && code !== null ? String(code) : "";
}

/** Cluster jobs show the cluster's job number. */
function hostText({ backend: { kind, native_id: id } }: JobSummary): string {
  if (kind === "local" || kind === "engine") return "this server";
  return id === null ? kind : `${kind} ${id}`;
}

export function messageText({ state_reason: reason }: JobSummary): string {
  return reason?.message ?? "";
}

/** The ids of the hidden columns, for all runs; an older version kept them with commas between them. */
const hiddenColumns = new Persisted("weft-job-columns-hidden", (kept): readonly string[] => {
  const ids: readonly unknown[] =
    typeof kept === "string" ? kept.split(",") : Array.isArray(kept) ? kept : HIDDEN_AT_FIRST;
  return JOB_COLUMNS.map(({ id }) => id).filter((id) => ids.includes(id));
});

/** The visible columns, and a function that shows or hides one. */
export function useColumnChoice(): { readonly shown: readonly JobColumn[]; readonly toggle: (id: string) => void } {
  const [hidden, setHidden] = usePersisted(hiddenColumns);
  const toggle = (id: string): void =>
    setHidden(hidden.includes(id) ? hidden.filter((entry) => entry !== id) : [...hidden, id]);
  return { shown: JOB_COLUMNS.filter(({ id }) => !hidden.includes(id)), toggle };
}

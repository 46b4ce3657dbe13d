import type { Run } from "@weft/shared/records/run-record.ts";
import { countText, numberText } from "@weft/shared/text/count-text.ts";
import { formatDuration } from "@weft/shared/text/format-duration.ts";
import { useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { AllJobs, JobTimes } from "../../../api/queries/all-jobs.ts";
import { useAllJobs, useMoment } from "../../../components/run/use-moment.ts";
import { formatDateTime } from "../../../format/format-time.ts";
import { STATE_LOOKS } from "../../../format/state-look.ts";
import { Button } from "../../../ui/button.tsx";
import { type Column, DataTable } from "../../../ui/data-table.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { onDemand } from "../../../ui/on-demand.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { StateBadge, TONES } from "../../../ui/state-badge.tsx";
import { useNow } from "../../../ui/time-text.tsx";
import { TitledSection } from "../../../ui/titled-section.tsx";
import { useSearchParam } from "../../../ui/use-search-param.ts";
import { isInked } from "./fill-raster.ts";
import { parseSpan, spanText } from "./time-view.ts";
import { TimelineChart } from "./timeline-chart.tsx";
import {
  arrangeRows,
  PIECE_KINDS,
  PIECE_LOOKS,
  coreUse,
  explainWait,
  findCriticalPath,
  type PieceKind,
  type TimelineRows,
  type PathJob,
} from "./timeline-jobs.ts";

const JobPanel = onDemand(() => import("../jobs/job-panel.tsx"));

const SHOWN = 30;

const SWATCH = { width: 24, height: 12 };

/**
 * When each job waited and ran, as bars (`?t=from-to` in ms) or as a table (`?view=table`); `?job=` opens one in a side
 * panel.
 */
export default function TimelineTab({ run }: { readonly run: Run }) {
  const isOpen = !STATE_LOOKS[run.state].final;
  const { isPast, atMs = 0 } = useMoment(run.run_id);
  const jobs = useAllJobs(run);
  const [jobId, setJobId] = useSearchParam("job");
  return (
    <>
      <QueryView query={jobs}>
        {(data) =>
          data.jobs.length === 0 ? (
            <EmptyState text="No jobs queued yet." />
          ) : isOpen && !isPast ? (
            <LiveTimeline data={data} onOpen={setJobId} />
          ) : (
            <Timeline data={data} nowMs={isOpen ? atMs : 0} onOpen={setJobId} />
          )
        }
      </QueryView>
      {jobId !== "" && <JobPanel runId={run.run_id} jobId={jobId} onClose={() => setJobId("")} />}
    </>
  );
}

interface TimelineProps {
  readonly data: AllJobs;
  readonly onOpen: (jobId: string) => void;
}

function LiveTimeline(props: TimelineProps) {
  return <Timeline {...props} nowMs={useNow()} />;
}

/** Minimum time between updates of larger runs while they are running. */
const SLOW_JOBS = 20_000;
const SLOW_MS = 2000;

/** `nowMs` is where bars of running jobs end; 0 when there can be none. */
function Timeline({ data, nowMs, onOpen }: TimelineProps & { readonly nowMs: number }) {
  const [view, setView] = useSearchParam("view");
  const [t, setT] = useSearchParam("t");
  const jobs = useSlowly(data.jobs, data.jobs.length > SLOW_JOBS ? SLOW_MS : 0);
  const rows = useMemo(() => arrangeRows(jobs), [jobs]);
  const causes = useCauses(rows, nowMs);
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center gap-3">
        <TimelineLegend />
        <ViewButton isTable={view === "table"} onChoose={setView} />
      </div>
      {data.jobs.length < data.total && (
        <p className="text-canceled">
          Showing the first {numberText(data.jobs.length)} of {numberText(data.total)} jobs. The Jobs tab lists them
          all.
        </p>
      )}
      {view === "table" ? (
        <TimelineTable rows={rows} nowMs={nowMs} onOpen={onOpen} />
      ) : (
        <>
          <TimelineChart
            rows={rows}
            nowMs={nowMs}
            path={causes.rows}
            whyWaited={causes.whyWaited}
            onOpen={onOpen}
            span={parseSpan(t)}
            onSpan={(span) => setT(spanText(span), { replace: true })}
          />
          <p className="text-small text-soft">
            Scroll to zoom (Shift: rows) · drag to pan · Shift-drag to zoom to a selection · 0 to reset
          </p>
        </>
      )}
      {causes.path.length > 0 && <CriticalPath path={causes.path} whyWaited={causes.whyWaited} onOpen={onOpen} />}
    </div>
  );
}

/** The critical path of a finished run, and why jobs waited. Computed after the bars are drawn. */
function useCauses(rows: TimelineRows, nowMs: number) {
  const later = useDeferredValue(rows, undefined);
  return useMemo(() => {
    const isEnded = nowMs === 0;
    if (later === undefined || !isEnded) return NO_CAUSES;
    const path = findCriticalPath(later.rows, later.fromMs);
    const onPath = new Set(path.map(({ job }) => job));
    const rowOf = new Map(later.rows.flatMap((job, row) => (onPath.has(job) ? [[job, row] as const] : [])));
    const use = coreUse(later.rows, nowMs);
    return {
      path,
      rows: path.flatMap(({ job }) => rowOf.get(job) ?? []),
      whyWaited: (job: JobTimes) => explainWait(job, use),
    };
  }, [later, nowMs]);
}

const NO_CAUSES = { path: [], rows: [], whyWaited: () => undefined };

function ViewButton({ isTable, onChoose }: { readonly isTable: boolean; readonly onChoose: (view: string) => void }) {
  return (
    <Button className="ml-auto" aria-pressed={isTable} onClick={() => onChoose(isTable ? "" : "table")}>
      {isTable ? "Show chart" : "Show table"}
    </Button>
  );
}

interface CriticalPathProps {
  readonly path: readonly PathJob[];
  readonly whyWaited: (job: JobTimes) => string | undefined;
  readonly onOpen: (jobId: string) => void;
}

/** The jobs that determined the duration of the run, as text, with the reasons for which they waited. */
function CriticalPath({ path, whyWaited, onOpen }: CriticalPathProps) {
  const [ran, waited] = [sumOf(path.map(({ ranMs }) => ranMs)), sumOf(path.map(({ waitedMs }) => waitedMs))];
  return (
    <TitledSection card title="Critical path">
      <p className="max-w-prose text-soft">
        {countText(path.length, "job")} determined how long the run took: each was queued when the previous one
        finished. They ran for {formatDuration(ran)} and waited for {formatDuration(waited)}. The chart outlines them.
      </p>
      <ol className="mt-2 divide-y divide-line">
        {path.slice(0, SHOWN).map(({ job, waitedMs, ranMs }) => (
          <li key={job.id} className="flex flex-wrap items-baseline gap-x-3 py-1.5">
            <Button
              look="link"
              className="font-medium max-md:min-h-9"
              aria-haspopup="dialog"
              onClick={() => onOpen(job.id)}
            >
              {job.id}
            </Button>
            {job.sample !== null && <span>{job.sample}</span>}
            <span className="text-soft tabular-nums">
              waited {formatDuration(waitedMs)} {waitText(job, waitedMs, whyWaited(job))}
            </span>
            <span className="ml-auto tabular-nums">ran {formatDuration(ranMs)}</span>
          </li>
        ))}
      </ol>
      {path.length > SHOWN && <p className="mt-2 text-soft">And {countText(path.length - SHOWN, "more job")}.</p>}
    </TitledSection>
  );
}

/** Most of the wait may precede the queueing of the job: until then another part of the run delayed it. */
function waitText({ queuedMs, startedMs }: JobTimes, waitedMs: number, why: string | undefined): string {
  const inQueueMs = (startedMs ?? queuedMs) - queuedMs;
  if (waitedMs > 1000 && inQueueMs < waitedMs / 2) return "before it was queued";
  return why ?? "";
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Legend of the bars' colors and patterns. */
function TimelineLegend() {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-small text-soft">
      {PIECE_KINDS.map((kind) => (
        <li key={kind} className="flex items-center gap-1.5">
          <Swatch kind={kind} />
          {PIECE_LOOKS[kind].word}
        </li>
      ))}
    </ul>
  );
}

function Swatch({ kind }: { readonly kind: PieceKind }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (context === undefined || context === null) return;
    context.clearRect(0, 0, SWATCH.width, SWATCH.height);
    context.fillStyle = getComputedStyle(context.canvas).color;
    const code = PIECE_KINDS.indexOf(kind) + 1;
    for (let y = 0; y < SWATCH.height; y += 1)
      for (let x = 0; x < SWATCH.width; x += 1) {
        context.globalAlpha = isInked(code, x, y) ? 1 : 0.38;
        context.fillRect(x, y, 1, 1);
      }
  });
  return (
    <canvas
      ref={canvas}
      aria-hidden="true"
      width={SWATCH.width}
      height={SWATCH.height}
      className={TONES[PIECE_LOOKS[kind].tone].text}
    />
  );
}

/** Limits changes of a value to one per `ms`; 0: no limit. For expensive rendering. */
function useSlowly<Value>(value: Value, ms: number): Value {
  const latest = useRef(value);
  const [shown, setShown] = useState(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  useEffect(() => {
    if (ms === 0) return;
    const timer = setInterval(() => setShown(latest.current), ms);
    return () => clearInterval(timer);
  }, [ms]);
  return ms === 0 ? value : shown;
}

const MORE = 200;

interface TimelineTableProps {
  readonly rows: TimelineRows;
  readonly nowMs: number;
  readonly onOpen: (jobId: string) => void;
}

/** The bars of the timeline as table rows, in order. */
function TimelineTable({ rows, nowMs, onOpen }: TimelineTableProps) {
  const [shown, setShown] = useState(MORE);
  const columns: readonly Column<JobTimes>[] = [
    { label: "Step", render: ({ step }) => (step === "" ? "Tool" : step) },
    { label: "Job", render: (job) => <JobButton job={job} onOpen={onOpen} /> },
    { label: "State", render: ({ state }) => <StateBadge state={state} /> },
    { label: "Queued", render: (job) => formatDateTime(new Date(job.queuedMs).toISOString()) },
    {
      label: "Waited",
      number: true,
      render: (job) => formatDuration((job.startedMs ?? job.endedMs ?? nowMs) - job.queuedMs),
    },
    {
      label: "Ran",
      number: true,
      render: ({ startedMs, endedMs = nowMs }) => (startedMs === undefined ? "" : formatDuration(endedMs - startedMs)),
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

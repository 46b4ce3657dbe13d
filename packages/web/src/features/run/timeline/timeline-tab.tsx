import type { Run } from "@weft/shared/records/run-record.ts";
import { useDeferredValue, useMemo } from "react";
import type { AllJobs, JobTimes } from "../../../api/all-jobs.ts";
import { useAllJobs, useMoment } from "../../../components/use-moment.ts";
import { STATE_LOOKS } from "../../../format/state-look.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { useNow } from "../../../ui/use-now.ts";
import { useSlowly } from "../../../ui/use-slowly.ts";
import { useSearchParam } from "../../../ui/use-search-param.ts";
import { arrangeRows, type TimelineRows } from "./arrange-rows.ts";
import { CriticalPath } from "./critical-path.tsx";
import { findCriticalPath } from "./find-critical-path.ts";
import { coreUse, explainWait } from "./explain-wait.ts";
import { parseSpan, spanText } from "./span-text.ts";
import { TimelineChart } from "./timeline-chart.tsx";
import { TimelineLegend } from "./timeline-legend.tsx";
import { TimelineTable } from "./timeline-table.tsx";
import { onDemand } from "../../../ui/on-demand.tsx";
import { numberText } from "../../../format/count-text.ts";

const JobPanel = onDemand(() => import("../job-panel.tsx"));

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
          <p className="text-[0.8125rem] text-soft">
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
    <button
      type="button"
      className="btn ml-auto"
      aria-pressed={isTable}
      onClick={() => onChoose(isTable ? "" : "table")}
    >
      {isTable ? "Show chart" : "Show table"}
    </button>
  );
}

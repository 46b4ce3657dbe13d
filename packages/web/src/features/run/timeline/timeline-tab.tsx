import { useQuery } from "@tanstack/react-query";
import type { Run } from "@weft/shared/records/run-record.ts";
import { lazy, Suspense, useMemo } from "react";
import type { AllJobs } from "../../../api/all-jobs.ts";
import { allJobsQuery } from "../../../api/all-jobs-query.ts";
import { STATE_LOOKS } from "../../../format/state-look.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { useNow } from "../../../ui/use-now.ts";
import { useSearchParam } from "../../../ui/use-search-param.ts";
import { arrangeRows } from "./arrange-rows.ts";
import { parseSpan, spanText } from "./span-text.ts";
import { TimelineChart } from "./timeline-chart.tsx";
import { TimelineLegend } from "./timeline-legend.tsx";
import { TimelineTable } from "./timeline-table.tsx";

const JobPanel = lazy(() => import("../job-panel.tsx"));

/** When each job waited and ran, as bars (`?t=from-to` in ms) or as a table (`?view=table`); `?job=` opens one beside them. */
export default function TimelineTab({ run }: { readonly run: Run }) {
  const isOpen = !STATE_LOOKS[run.state].final;
  const jobs = useQuery(allJobsQuery(run.run_id, isOpen));
  const [jobId, setJobId] = useSearchParam("job");
  return (
    <>
      <QueryView query={jobs}>
        {(data) =>
          data.jobs.length === 0 ? (
            <EmptyState text="No job has been queued yet." />
          ) : isOpen ? (
            <LiveTimeline data={data} onOpen={setJobId} />
          ) : (
            <Timeline data={data} nowMs={0} onOpen={setJobId} />
          )
        }
      </QueryView>
      {jobId !== "" && (
        <Suspense fallback={null}>
          <JobPanel runId={run.run_id} jobId={jobId} onClose={() => setJobId("")} />
        </Suspense>
      )}
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

/** `nowMs` is where bars of running jobs end; 0 when there can be none. */
function Timeline({ data, nowMs, onOpen }: TimelineProps & { readonly nowMs: number }) {
  const [view, setView] = useSearchParam("view");
  const [t, setT] = useSearchParam("t");
  const rows = useMemo(() => arrangeRows(data.jobs), [data]);
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center gap-3">
        <TimelineLegend />
        <ViewButton isTable={view === "table"} onChoose={setView} />
      </div>
      {data.jobs.length < data.total && (
        <p className="text-canceled">
          The first {data.jobs.length} of {data.total} jobs are drawn; the tab Jobs lists them all.
        </p>
      )}
      {view === "table" ? (
        <TimelineTable rows={rows} nowMs={nowMs} onOpen={onOpen} />
      ) : (
        <>
          <TimelineChart
            rows={rows}
            nowMs={nowMs}
            onOpen={onOpen}
            span={parseSpan(t)}
            onSpan={(span) => setT(spanText(span), { replace: true })}
          />
          <p className="text-[0.8125rem] text-soft">
            Turn the wheel to zoom in time, with Shift in rows. Drag to move; drag with Shift to zoom into a part. Press
            0 to see the whole.
          </p>
        </>
      )}
    </div>
  );
}

function ViewButton({ isTable, onChoose }: { readonly isTable: boolean; readonly onChoose: (view: string) => void }) {
  return (
    <button
      type="button"
      className="btn ml-auto"
      aria-pressed={isTable}
      onClick={() => onChoose(isTable ? "" : "table")}
    >
      {isTable ? "Show as bars" : "Show as table"}
    </button>
  );
}

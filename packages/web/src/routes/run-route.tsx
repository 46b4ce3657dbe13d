import { useQuery } from "@tanstack/react-query";
import type { GraphRecord } from "@weft/shared/records/process-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { lazy, Suspense } from "react";
import { useParams } from "react-router-dom";
import { networkQuery } from "../api/catalog-queries.ts";
import { runQuery } from "../api/run-queries.ts";
import { RecordPage } from "../components/record-page.tsx";
import { RunHeader } from "../features/run/run-header.tsx";
import { RunInfo } from "../features/run/run-info.tsx";
import { RunOverview } from "../features/run/run-overview.tsx";
import { StepJobs } from "../features/run/step-jobs.tsx";
import { AsOf, TimeMachineButton } from "../features/run/time-machine/as-of.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { TabBar, type TabEntry } from "../ui/tab-bar.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";

const EventsTab = lazy(() => import("../features/run/events-tab.tsx"));
const GraphView = lazy(() => import("../features/graph/graph-view.tsx"));
const InputsTab = lazy(() => import("../features/run/inputs-tab.tsx"));
const JobsTab = lazy(() => import("../features/run/jobs/jobs-tab.tsx"));
const LogsTab = lazy(() => import("../features/run/logs-tab.tsx"));
const NodeValues = lazy(() => import("../features/run/node-values.tsx"));
const OutputsTab = lazy(() => import("../features/run/outputs-tab.tsx"));
const RunProvenance = lazy(() => import("../features/provenance/run-provenance.tsx"));
const SampleMatrix = lazy(() => import("../features/run/sample-matrix.tsx"));
const TimelineTab = lazy(() => import("../features/run/timeline/timeline-tab.tsx"));

/** `/run/:runId?tab=&step=&job=&state=&q=&stream=&at=` */
export default function RunRoute() {
  const { runId = "" } = useParams();
  const run = useQuery(runQuery(runId));
  return (
    <RecordPage query={run} noun="run" name={runId} list={{ label: "All runs", to: "/runs" }}>
      {(data) => (
        <TabBar
          label="About this run"
          tabs={tabsOf(data)}
          bar={<RunHeader run={data} />}
          aside={<TimeMachineButton run={data} />}
        />
      )}
    </RecordPage>
  );
}

function tabsOf(run: Run): readonly [TabEntry, ...TabEntry[]] {
  const tabs: [TabEntry, ...TabEntry[]] = [{ id: "overview", label: "Overview", content: <RunOverview run={run} /> }];
  if (run.network !== undefined)
    tabs.push({
      id: "graph",
      label: "Graph",
      isWide: true,
      content: (
        <AsOf run={run}>
          {(then) => <RunGraph run={then} id={run.network?.id ?? ""} version={run.network?.version ?? undefined} />}
        </AsOf>
      ),
    });
  if (run.samples.length > 0)
    tabs.push({
      id: "samples",
      label: "Samples",
      isWide: true,
      content: <AsOf run={run}>{(then) => <SampleMatrix run={then} />}</AsOf>,
    });
  tabs.push(
    { id: "jobs", label: "Jobs", isWide: true, content: <AsOf run={run}>{(then) => <JobsTab run={then} />}</AsOf> },
    {
      id: "timeline",
      label: "Timeline",
      isWide: true,
      content: <AsOf run={run}>{(then) => <TimelineTab run={then} />}</AsOf>,
    },
    { id: "logs", label: "Logs", isWide: true, content: <LogsTab run={run} /> },
    { id: "inputs", label: "Inputs", content: <InputsTab run={run} /> },
    { id: "outputs", label: "Outputs", isWide: true, content: <OutputsTab run={run} /> },
    { id: "events", label: "Events", content: <EventsTab run={run} /> },
    { id: "prov", label: "Provenance", isWide: true, content: <RunProvenance run={run} port="" /> },
    { id: "info", label: "Info", content: <RunInfo run={run} /> },
  );
  return tabs;
}

function RunGraph({
  run,
  id,
  version,
}: {
  readonly run: Run;
  readonly id: string;
  readonly version: string | undefined;
}) {
  const [step, setStep] = useSearchParam("step");
  const network = useQuery(networkQuery(id, version));
  return (
    <QueryView query={network}>
      {(data) => (
        <div className="space-y-3">
          {data.digest !== run.network?.digest && (
            <p className="text-canceled">The network changed since this run; the graph shows the current version.</p>
          )}
          <GraphView
            name={run.name}
            graph={data.graph}
            selected={step}
            onSelect={setStep}
            stepCounts={run.step_counts}
            detail={<SelectedInRun run={run} graph={data.graph} path={step} />}
          />
        </div>
      )}
    </QueryView>
  );
}

/** Jobs of a selected step; the value of a selected input or output. Ports of nested networks have no values. */
function SelectedInRun({
  run,
  graph,
  path,
}: {
  readonly run: Run;
  readonly graph: GraphRecord;
  readonly path: string;
}) {
  if (path === "") return null;
  const node = graph.nodes.find(({ id, kind }) => id === path && kind !== "step");
  if (node !== undefined)
    return (
      <Suspense fallback={<Skeleton rows={3} />}>
        <NodeValues run={run} node={node} />
      </Suspense>
    );
  if (run.step_counts.some(({ step }) => step === path)) return <StepJobs runId={run.run_id} step={path} />;
  return <p className="text-soft">Nested network. Select one of its steps to see jobs.</p>;
}

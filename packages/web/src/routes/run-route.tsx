import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Network } from "@weft/shared/records/process-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { isWesDocument } from "@weft/shared/records/wes-document-id.ts";
import type { ComponentType, ReactNode } from "react";
import { useParams } from "react-router-dom";
import { networkQuery } from "../api/queries/catalog-queries.ts";
import { momentQuery, runAt } from "../api/queries/jobs-at.ts";
import { runQuery } from "../api/queries/run-queries.ts";
import { routeQuery } from "../api/route-query.ts";
import { RecordPage } from "../components/record-page.tsx";
import { useAllJobs, useMoment } from "../components/run/use-moment.ts";
import { RunHeader } from "../features/run/header/run-header.tsx";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { onDemand } from "../ui/on-demand.tsx";
import { QueryView, type QueryViewProps } from "../ui/query-view.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { TabBar, type TabEntry, type TabView } from "../ui/tab-bar.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";
import { GraphView, RUN_VIEWS } from "./tab-views.tsx";

const SelectedInRun = onDemand(() => import("../features/run/selected-node.tsx"), <Skeleton rows={3} />);

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
  const wide = (id: string, label: string, content: ReactNode): TabView => ({ id, label, isWide: true, content });
  const asOf = (id: string, label: string, View: ComponentType<{ readonly run: Run }>): TabView => {
    const content = <AsOf run={run}>{(then) => <View run={then} />}</AsOf>;
    return { ...wide(id, label, content), hasPast: true };
  };
  const ofSamples = (...views: readonly TabView[]) => (run.samples.length > 0 ? views : []);
  const outputs = wide("outputs", "Outputs", <RUN_VIEWS.outputs run={run} />);
  const table = wide("table", "Table", <RUN_VIEWS.table run={run} />);
  const review = wide("review", "Review", <RUN_VIEWS.review run={run} />);
  const jobs = asOf("jobs", "Jobs", RUN_VIEWS.jobs);
  const timeline = asOf("timeline", "Timeline", RUN_VIEWS.timeline);
  const logs = wide("logs", "Logs", <RUN_VIEWS.logs run={run} />);
  const inputs = { id: "inputs", label: "Inputs", content: <RUN_VIEWS.inputs run={run} /> };
  const settings = { id: "info", label: "Settings", content: <RUN_VIEWS.info run={run} /> };
  const lineage = wide("prov", "Provenance", <RUN_VIEWS.prov run={run} />);
  const events = { id: "events", label: "Events", content: <RUN_VIEWS.events run={run} /> };
  return [
    wide("overview", "Overview", <RUN_VIEWS.overview run={run} />),
    { id: "results", label: "Results", views: [outputs, ...ofSamples(table, review)] },
    ...ofSamples(asOf("samples", "Samples", RUN_VIEWS.samples)),
    ...(run.network === undefined ? [] : [asOf("graph", "Graph", RunGraph)]),
    { id: "jobs", label: "Jobs", views: [jobs, timeline, logs] },
    { id: "inputs", label: "Inputs", views: [inputs, settings] },
    { id: "prov", label: "Provenance", views: [lineage, events] },
  ];
}

function RunGraph({ run }: { readonly run: Run }) {
  const [step, setStep] = useSearchParam("step");
  const { id = "", version } = run.network ?? {};
  const isArrived = isWesDocument(id);
  const ofCatalog = useQuery({ ...networkQuery(id, version ?? undefined), enabled: !isArrived });
  const arrived = useQuery({
    ...routeQuery("GET /api/wes-documents/{digest}", { params: { digest: id } }),
    enabled: isArrived,
  });
  const network: QueryViewProps<Pick<Network, "digest" | "graph">>["query"] = isArrived ? arrived : ofCatalog;
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

const TimeMachine = onDemand(
  () => import("../features/run/time-machine/time-machine.tsx"),
  <div className="mb-3 h-16" />,
);

interface AsOfProps {
  readonly run: Run;
  readonly children: (run: Run) => ReactNode;
}

/** Shows a run at the moment in the URL, with a slider to change it; without one, the current state. */
function AsOf({ run, children }: AsOfProps) {
  const { isPast } = useMoment(run.run_id);
  return isPast ? <Past run={run}>{children}</Past> : children(run);
}

function Past({ run, children }: AsOfProps) {
  const { atMs } = useMoment(run.run_id);
  const jobs = useAllJobs(run);
  return (
    <>
      <TimeMachine run={run} />
      <QueryView query={jobs}>{(data) => children(atMs === undefined ? run : runAt(run, data.jobs, atMs))}</QueryView>
    </>
  );
}

/** Opens the time machine at the newest event. Imported runs have no events here. */
function TimeMachineButton({ run }: { readonly run: Run }) {
  const cache = useQueryClient();
  const { isPast } = useMoment(run.run_id);
  const [, setAt] = useSearchParam("at");
  if (run.imported !== undefined) return null;
  const open = async (): Promise<void> => setAt(String((await cache.fetchQuery(momentQuery(run.run_id, {}))).seq));
  return (
    <Button look="quiet" small aria-pressed={isPast} onClick={() => (isPast ? setAt("") : void open())}>
      <Icon name="clock" /> Time machine
    </Button>
  );
}

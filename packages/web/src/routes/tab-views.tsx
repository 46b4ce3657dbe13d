// The views of pages by their id in `?tab=`, apart from the pages, so that both can load at the same time.
import type { RunView } from "../format/links.ts";
import { onDemand } from "../ui/on-demand.tsx";
import { Skeleton } from "../ui/skeleton.tsx";

export const ProcessTests = onDemand(() => import("../features/tests/process-tests.tsx"), <Skeleton />);
export const GraphView = onDemand(() => import("../features/graph/graph-view.tsx"), <Skeleton />);
export const StartRun = onDemand(() => import("../components/run-form/start-run.tsx"), <Skeleton />);

/** The first is shown without `?tab=`. */
export const RUN_VIEWS = {
  overview: onDemand(() => import("../features/run/overview/run-overview.tsx"), <Skeleton />),
  graph: GraphView,
  samples: onDemand(() => import("../features/run/samples/sample-matrix.tsx"), <Skeleton />),
  table: onDemand(() => import("../features/table/table-view.tsx"), <Skeleton />),
  jobs: onDemand(() => import("../features/run/jobs/jobs-tab.tsx"), <Skeleton />),
  timeline: onDemand(() => import("../features/run/timeline/timeline-tab.tsx"), <Skeleton />),
  logs: onDemand(() => import("../features/run/log/logs-tab.tsx"), <Skeleton />),
  inputs: onDemand(() => import("./run-inputs.tsx"), <Skeleton />),
  outputs: onDemand(() => import("../features/run/outputs-tab.tsx"), <Skeleton />),
  review: onDemand(() => import("../features/run/review/review-tab.tsx"), <Skeleton />),
  events: onDemand(() => import("../features/run/events-tab.tsx"), <Skeleton />),
  prov: onDemand(() => import("../features/provenance/run-provenance.tsx"), <Skeleton />),
  info: onDemand(() => import("../features/run/run-info.tsx"), <Skeleton />),
} satisfies Record<RunView, unknown> & Record<string, unknown>;

export const NETWORK_VIEWS = { graph: GraphView, run: StartRun };

interface View {
  readonly preload: () => Promise<void>;
}

/** Requests the code of the tab at this address. */
export function preloadTab(views: Readonly<Record<string, View>>, tab: string | null): void {
  const view = tab === null ? Object.values(views)[0] : new Map(Object.entries(views)).get(tab);
  void view?.preload();
}

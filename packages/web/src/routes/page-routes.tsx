import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useLayoutEffect } from "react";
import { type Location, Navigate, Route, Routes, matchPath, useLocation, useParams } from "react-router-dom";
import { networkQuery, toolQuery } from "../api/catalog-queries.ts";
import { runQuery, samplesQuery, wholeRunQuery } from "../api/run-queries.ts";
import { sessionQuery } from "../api/session-query.ts";
import { CommitOffer } from "../components/commit-offer.tsx";
import { NotFoundCard } from "../components/record-page.tsx";
import { nearestPages } from "../format/nearest-pages.ts";
import { onDemand } from "../ui/on-demand.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { DashboardRoute } from "./dashboard-route.tsx";
import { NETWORK_VIEWS, RUN_VIEWS, preloadTab } from "./tab-views.tsx";

const NetworksRoute = onDemand(() => import("./networks-route.tsx"), <Skeleton />);
const NetworkRoute = onDemand(() => import("./network-route.tsx"), <Skeleton />);
const RunsRoute = onDemand(() => import("./runs-route.tsx"), <Skeleton />);
const RunRoute = onDemand(() => import("./run-route.tsx"), <Skeleton />);
const ToolsRoute = onDemand(() => import("./tools-route.tsx"), <Skeleton />);
const ToolRoute = onDemand(() => import("./tool-route.tsx"), <Skeleton />);
const ProvRoute = onDemand(() => import("./prov-route.tsx"), <Skeleton />);
const EventConsoleRoute = onDemand(() => import("./event-console-route.tsx"), <Skeleton />);
const ServerRoute = onDemand(() => import("./server-route.tsx"), <Skeleton />);
const ShutdownRoute = onDemand(() => import("./shutdown-route.tsx"), <Skeleton />);
const NewDraftRoute = onDemand(() => import("./new-draft-route.tsx"), <Skeleton />);
const EditRoute = onDemand(() => import("./edit-route.tsx"), <Skeleton />);
const DraftRoute = onDemand(() => import("./draft-route.tsx"), <Skeleton />);
const AutomationsRoute = onDemand(() => import("./automations-route.tsx"), <Skeleton />);
const NewAutomationRoute = onDemand(() => import("./new-automation-route.tsx"), <Skeleton />);
const NotificationsRoute = onDemand(() => import("./notifications-route.tsx"), <Skeleton />);
const ImportRoute = onDemand(() => import("./import-route.tsx"), <Skeleton />);
const UpgradesRoute = onDemand(() => import("./upgrades-route.tsx"), <Skeleton />);
const DraftGroupRoute = onDemand(() => import("./draft-group-route.tsx"), <Skeleton />);
const DatasetsRoute = onDemand(() => import("./datasets-route.tsx"), <Skeleton />);
const DatasetRoute = onDemand(() => import("./dataset-route.tsx"), <Skeleton />);
const DocRoute = onDemand(() => import("./doc-route.tsx"), <Skeleton />);

/** All pages by path, loaded on demand except the dashboard. */
export function PageRoutes() {
  const cache = useQueryClient();
  const location = useLocation();
  useLayoutEffect(() => requestPage(cache, location), [cache, location]);
  return (
    <>
      <CommitOffer />
      <RoutesByPath />
    </>
  );
}

function RoutesByPath() {
  return (
    <Routes>
      <Route path="/" element={<DashboardRoute />} />
      <Route path="/index" element={<Navigate to="/" replace />} />
      <Route path="/tools" element={<Navigate to="/tool" replace />} />
      <Route path="/network" element={<Navigate to="/networks" replace />} />
      <Route path="/run" element={<Navigate to="/runs" replace />} />
      <Route path="/provenance" element={<Navigate to="/prov" replace />} />
      <Route path="/docs" element={<Navigate to="/doc" replace />} />
      <Route path="/runs/:runId" element={<RunAtOtherAddress />} />
      <Route path="/networks" element={<NetworksRoute />} />
      <Route path="/network/:name" element={<NetworkRoute />} />
      <Route path="/networks/new" element={<NewDraftRoute kind="network" />} />
      <Route path="/network/:name/edit" element={<EditRoute kind="network" />} />
      <Route path="/runs" element={<RunsRoute />} />
      <Route path="/run/:runId" element={<RunRoute />} />
      <Route path="/tool" element={<ToolsRoute />} />
      <Route path="/tool/:toolName" element={<ToolRoute />} />
      <Route path="/tool/:toolName/:version" element={<ToolRoute />} />
      <Route path="/tool/:toolName/:version/edit" element={<EditRoute kind="tool" />} />
      <Route path="/tools/new" element={<NewDraftRoute kind="tool" />} />
      <Route path="/drafts/:draftId" element={<DraftRoute />} />
      <Route path="/draft-groups/:groupId" element={<DraftGroupRoute />} />
      <Route path="/import" element={<ImportRoute />} />
      <Route path="/upgrades" element={<UpgradesRoute />} />
      <Route path="/automations" element={<AutomationsRoute />} />
      <Route path="/automations/new" element={<NewAutomationRoute />} />
      <Route path="/datasets" element={<DatasetsRoute />} />
      <Route path="/dataset" element={<DatasetRoute />} />
      <Route path="/prov" element={<ProvRoute />} />
      <Route path="/websocketclient" element={<EventConsoleRoute />} />
      <Route path="/server" element={<ServerRoute />} />
      <Route path="/notifications" element={<NotificationsRoute />} />
      <Route path="/shutdown" element={<ShutdownRoute />} />
      <Route path="/doc/*" element={<DocRoute />} />
      <Route path="*" element={<NotFoundRoute />} />
    </Routes>
  );
}

/** `/runs/{id}`, as in the API. */
function RunAtOtherAddress() {
  const { runId = "" } = useParams();
  const { search } = useLocation();
  return <Navigate to={{ pathname: `/run/${runId}`, search }} replace />;
}

/** Requests the record and the code of the page at this address at once, instead of one after the other. */
function requestPage(cache: QueryClient, { pathname, search }: Location): void {
  void cache.prefetchQuery(sessionQuery());
  const idIn = (pattern: string) => matchPath(pattern, pathname)?.params["id"];
  const params = new URLSearchParams(search);
  const version = params.get("v") ?? undefined;
  const [run, network, tool] = [idIn("/run/:id"), idIn("/network/:id"), idIn("/tool/:id")];
  if (run !== undefined) {
    void cache.prefetchQuery(runQuery(run));
    void RunRoute.preload();
    preloadTab(RUN_VIEWS, params.get("tab"));
    if (params.get("tab") === "samples") void cache.prefetchQuery(samplesQuery(run, false));
  }
  if (network !== undefined) {
    void cache.prefetchQuery(networkQuery(network, version));
    const from = params.get("from") ?? "";
    if (from !== "") void cache.prefetchQuery(wholeRunQuery(from));
    void NetworkRoute.preload();
    preloadTab(NETWORK_VIEWS, params.get("tab"));
  }
  if (tool !== undefined) {
    void cache.prefetchQuery(toolQuery(tool, undefined));
    void ToolRoute.preload();
  }
}

/** The page for unknown paths. */
function NotFoundRoute() {
  const { pathname } = useLocation();
  return (
    <NotFoundCard title="Page not found" text={`There is no page at ${pathname}.`} links={nearestPages(pathname)} />
  );
}

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useLayoutEffect } from "react";
import { type Location, Navigate, Route, Routes, matchPath, useLocation, useParams } from "react-router-dom";
import { networkQuery, toolQuery } from "../api/queries/catalog-queries.ts";
import { runQuery, samplesQuery, wholeRunQuery } from "../api/queries/run-queries.ts";
import { sessionQuery } from "../api/session-query.ts";
import { CommitOffer } from "../components/commit-offer.tsx";
import { NotFoundCard } from "../components/record-page.tsx";
import { nearestPages } from "../format/nearest-pages.ts";
import { onDemand } from "../ui/on-demand.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { DashboardRoute } from "./dashboard-route.tsx";
import { NETWORK_VIEWS, RUN_VIEWS, preloadTab } from "./tab-views.tsx";

const CatalogRoute = onDemand(() => import("./catalog-route.tsx"), <Skeleton />);
const NetworkRoute = onDemand(() => import("./network-route.tsx"), <Skeleton />);
const RunRoute = onDemand(() => import("./run-route.tsx"), <Skeleton />);
const ToolRoute = onDemand(() => import("./tool-route.tsx"), <Skeleton />);
const NewDraftRoute = onDemand(() => import("./new-draft-route.tsx"), <Skeleton />);

/** The pages without properties. Those with a record are below, because their code is requested together with it. */
const PAGES = {
  "/runs": onDemand(() => import("./runs-route.tsx"), <Skeleton />),
  "/drafts/:draftId": onDemand(() => import("./draft-route.tsx"), <Skeleton />),
  "/draft-groups/:groupId": onDemand(() => import("./draft-group-route.tsx"), <Skeleton />),
  "/import": onDemand(() => import("./import-route.tsx"), <Skeleton />),
  "/upgrades": onDemand(() => import("./upgrades-route.tsx"), <Skeleton />),
  "/automations": onDemand(() => import("./automations-route.tsx"), <Skeleton />),
  "/automations/new": onDemand(() => import("./new-automation-route.tsx"), <Skeleton />),
  "/datasets": onDemand(() => import("./datasets-route.tsx"), <Skeleton />),
  "/dataset": onDemand(() => import("./dataset-route.tsx"), <Skeleton />),
  "/prov": onDemand(() => import("./prov-route.tsx"), <Skeleton />),
  "/websocketclient": onDemand(() => import("./event-console-route.tsx"), <Skeleton />),
  "/server": onDemand(() => import("./server-route.tsx"), <Skeleton />),
  "/notifications": onDemand(() => import("./notifications-route.tsx"), <Skeleton />),
  "/shutdown": onDemand(() => import("./shutdown-route.tsx"), <Skeleton />),
  "/doc/*": onDemand(() => import("./doc-route.tsx"), <Skeleton />),
  ...(import.meta.env.DEV && { "/__kit": onDemand(() => import("../testing/kit-page.tsx"), <Skeleton />) }),
};

/** Other addresses of pages. */
const MOVED = {
  "/index": "/",
  "/tools": "/tool",
  "/network": "/networks",
  "/run": "/runs",
  "/provenance": "/prov",
  "/docs": "/doc",
};

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
      {Object.entries(MOVED).map(([path, to]) => (
        <Route key={path} path={path} element={<Navigate to={to} replace />} />
      ))}
      {Object.entries(PAGES).map(([path, Page]) => (
        <Route key={path} path={path} element={<Page />} />
      ))}
      <Route path="/" element={<DashboardRoute />} />
      <Route path="/runs/:runId" element={<RunAtOtherAddress />} />
      <Route path="/networks" element={<CatalogRoute kind="network" />} />
      <Route path="/tool" element={<CatalogRoute kind="tool" />} />
      <Route path="/network/:name" element={<NetworkRoute />} />
      <Route path="/networks/new" element={<NewDraftRoute kind="network" />} />
      <Route path="/network/:name/edit" element={<NewDraftRoute kind="network" />} />
      <Route path="/run/:runId" element={<RunRoute />} />
      <Route path="/tool/:toolName" element={<ToolRoute />} />
      <Route path="/tool/:toolName/:version" element={<ToolRoute />} />
      <Route path="/tool/:toolName/:version/edit" element={<NewDraftRoute kind="tool" />} />
      <Route path="/tools/new" element={<NewDraftRoute kind="tool" />} />
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

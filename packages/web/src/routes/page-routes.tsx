import { lazy } from "react";
import { Navigate, Route, Routes } from "react-router-dom";
import { DashboardRoute } from "./dashboard-route.tsx";
import { NotFoundRoute } from "./not-found-route.tsx";

const NetworksRoute = lazy(() => import("./networks-route.tsx"));
const NetworkRoute = lazy(() => import("./network-route.tsx"));
const RunsRoute = lazy(() => import("./runs-route.tsx"));
const RunRoute = lazy(() => import("./run-route.tsx"));
const ToolsRoute = lazy(() => import("./tools-route.tsx"));
const ToolRoute = lazy(() => import("./tool-route.tsx"));
const ProvRoute = lazy(() => import("./prov-route.tsx"));
const EventConsoleRoute = lazy(() => import("./event-console-route.tsx"));
const ServerRoute = lazy(() => import("./server-route.tsx"));
const ShutdownRoute = lazy(() => import("./shutdown-route.tsx"));
const DocRoute = lazy(() => import("./doc-route.tsx"));

/** All pages by path, loaded on demand except the dashboard. */
export function PageRoutes() {
  return (
    <Routes>
      <Route path="/" element={<DashboardRoute />} />
      <Route path="/index" element={<Navigate to="/" replace />} />
      <Route path="/networks" element={<NetworksRoute />} />
      <Route path="/network/:name" element={<NetworkRoute />} />
      <Route path="/runs" element={<RunsRoute />} />
      <Route path="/run/:runId" element={<RunRoute />} />
      <Route path="/tool" element={<ToolsRoute />} />
      <Route path="/tool/:toolName" element={<ToolRoute />} />
      <Route path="/tool/:toolName/:version" element={<ToolRoute />} />
      <Route path="/prov" element={<ProvRoute />} />
      <Route path="/websocketclient" element={<EventConsoleRoute />} />
      <Route path="/server" element={<ServerRoute />} />
      <Route path="/shutdown" element={<ShutdownRoute />} />
      <Route path="/doc/*" element={<DocRoute />} />
      <Route path="*" element={<NotFoundRoute />} />
    </Routes>
  );
}

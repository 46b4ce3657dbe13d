import type { RouteDeclaration } from "@weft/shared/routes/route.ts";

/** The groups of the documentation, in the order in which they are shown. */
export const TAG_DESCRIPTIONS: Readonly<Record<RouteDeclaration["tag"], string>> = {
  runs: "Start, watch and abort runs; their jobs, logs and outputs",
  networks: "Networks of the catalog: CWL workflows",
  tools: "Tools of the catalog: CWL command line and expression tools, in versions",
  events: "Everything that happens, as pages, as Server-Sent Events, and by WebSocket at /api/events",
  files: "Files of runs, uploads, and the data folders to choose inputs from",
  provenance: "Where results come from",
  session: "Signing in, where the server asks for it",
  wes: "GA4GH Workflow Execution Service 1.1 over the same runs; errors in its own form",
  trs: "GA4GH Tool Registry Service 2.0 over the same catalog, read-only; errors in its own form",
  server: "The server itself",
};

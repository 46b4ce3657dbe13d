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
  server: "The server itself",
};

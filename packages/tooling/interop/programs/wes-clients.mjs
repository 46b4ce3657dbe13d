// The requests of WES clients, written from their documentation and replayed against a server.
import { join } from "node:path";
import { testChecks } from "../run-tests.mjs";

export const name = "WES clients (requests)";
export const about =
  "WES starts runs and documents for wes-client, Dockstore, yevis, sapporo, Toil, the GA4GH testbed and generated clients";

export function version() {
  return "WES 1.1";
}

const API = join(import.meta.dirname, "../../../api");

export async function checks() {
  const shapes = { nesting: 0, wanted: /^WES (?:starts a run for|runs the document of) / };
  return [
    ...(await testChecks(join(API, "src/ga4gh/wes-clients.service.test.ts"), shapes)),
    ...(await testChecks(join(API, "test/wes-client-documents.service.test.ts"), shapes)),
  ];
}

import { inThread } from "../../../async/own-thread.ts";
import { tryImport } from "../try-import.ts";
import { prepareForeign, type ForeignCrate } from "./prepare-foreign.ts";

// Started by import-crate.ts.
await inThread(async (crate: ForeignCrate) => {
  const event = await prepareForeign(crate);
  await tryImport(event, crate.runId, []);
  return event;
});

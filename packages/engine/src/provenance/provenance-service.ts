import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import type { Caller } from "../port/caller.ts";
import type { EngineProvenance } from "../port/engine.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { RunRow } from "../journal/rows.ts";
import { requireVisibleRun } from "../access/visible-runs.ts";
import { importCrate } from "./import/import-crate.ts";
import type { ImportServices } from "./import/import-crate.ts";
import type { ReadPool } from "../read/read-pool.ts";
import type { provenanceTasks } from "./provenance-tasks.ts";

export interface ProvenanceServiceOptions {
  readonly read: LogReader;
  /** Builds documents that grow with the jobs of a run. */
  readonly reads: ReadPool;
  readonly imports: ImportServices;
  /** A run as its owner sees it. */
  readonly present: (caller: Caller, runId: string) => Run;
  /** Called for each imported run. */
  readonly imported: (runId: string) => void;
  readonly isDraining: () => boolean;
}

/** The provenance methods of the engine. Reads everything from the log. */
export function createProvenanceService(options: ProvenanceServiceOptions): EngineProvenance {
  const { read, reads } = options;
  const { ask, text } = reads.of<typeof provenanceTasks>("provenance");
  const visible = (caller: Caller, runId: string) => requireVisibleRun(read, runId, caller).runId;
  return {
    provJson: async (caller, runId) => text(caller, "provJson", visible(caller, runId)),
    crateMetadata: async (caller, runId) => text(caller, "crateMetadata", visible(caller, runId)),
    crateArchive: async (caller, runId) => {
      const zip = await ask(caller, "crate", visible(caller, runId));
      return { name: `crate-${runId}.zip`, open: () => zip, discard: () => void zip.destroy() };
    },
    compare: async (caller, runIds, tolerance) => {
      for (const runId of runIds) refuseOtherLanguage(requireVisibleRun(read, runId, caller));
      return ask(caller, "comparison", runIds, tolerance);
    },
    lineage: async (caller, runId, { depth = 1, sample }) =>
      ask(caller, "lineage", visible(caller, runId), depth, sample),
    importCrate: async (caller, given) => {
      if (options.isDraining()) throw new Refusal("draining", "The server is shutting down and imports nothing more.");
      const runId = await importCrate(caller.principal, given, options.imports);
      options.imported(runId);
      return options.present(caller, runId);
    },
  };
}

/** In another language, the names of inputs and outputs mean something else. */
function refuseOtherLanguage({ runId, imported }: RunRow): void {
  if (imported?.foreign === undefined || imported.foreign.is_cwl) return;
  const language = imported.foreign.language ?? "another language";
  throw new Refusal("conflict", `Only CWL runs can be compared; the run ${runId} is of ${language}.`);
}

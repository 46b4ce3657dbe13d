import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { zipArchive } from "../archive/zip-archive.ts";
import type { Caller, EngineProvenance } from "../engine.ts";
import type { Reach } from "../files/beneath/reach.ts";
import type { DiskAccess } from "../files/disk-access.ts";
import type { AllowedRoots } from "../files/allowed-roots.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { RunRow } from "../journal/rows.ts";
import { requireVisibleRun, visibleOwner } from "../run/visible-runs.ts";
import { compareRuns } from "./compare/compare-runs.ts";
import { usedByRun } from "./compare/used-by-run.ts";
import { crateOfRun } from "./crate-of-run.ts";
import { importCrate } from "./import/import-crate.ts";
import type { ImportServices } from "./import/import-crate.ts";
import { lineageOfRun } from "./lineage-of-run.ts";
import { provN } from "./prov-n.ts";
import { provOfRun } from "./prov-of-run.ts";

export interface ProvenanceServiceOptions {
  readonly read: LogReader;
  readonly roots: AllowedRoots;
  readonly access: DiskAccess;
  readonly runsFolder: string;
  readonly imports: ImportServices;
  /** A run as its owner sees it. */
  readonly present: (caller: Caller, runId: string) => Run;
  /** Told of each run that was imported. */
  readonly imported: (runId: string) => void;
  readonly isDraining: () => boolean;
}

/** What others want to know of runs, in their own words. All of it is read from the log. */
export function createProvenanceService(options: ProvenanceServiceOptions): EngineProvenance {
  const { read, roots, runsFolder, access } = options;
  const located = (caller: Caller) => {
    const { reach } = access.ofCaller(caller);
    return { reach, resolve: (uri: string) => realPathOf(uri, { roots, reach }) };
  };
  const crate = async (caller: Caller, run: RunRow) =>
    crateOfRun(run, { read, uris: roots.uris, runsFolder, links: caller.links, access, ...located(caller) });
  return {
    provN: (caller, runId) => provN(provOfRun(requireVisibleRun(read, runId, caller), read, caller.links)),
    crate: async (caller, runId) => crate(caller, requireVisibleRun(read, runId, caller)),
    lineage: (caller, runId, depth) => {
      const run = requireVisibleRun(read, runId, caller);
      return lineageOfRun({ runId: run.runId, depth, visibleOwner: visibleOwner(caller) }, read, caller.links);
    },
    importCrate: async (caller, given) => {
      if (options.isDraining())
        throw new Refusal("draining", "The server is shutting down; nothing is imported any more.");
      const runId = await importCrate(caller.principal, given, options.imports);
      options.imported(runId);
      return options.present(caller, runId);
    },
    compare: async (caller, [firstId, secondId], tolerance) => {
      const [first, second] = [requireEnded(read, firstId, caller), requireEnded(read, secondId, caller)];
      return {
        run_id: firstId,
        with: secondId,
        ...(await compareRuns({ first, second }, read, { tolerance, ...located(caller) })),
        used: {
          first: usedByRun(first, read.jobsOfRun(firstId)),
          second: usedByRun(second, read.jobsOfRun(secondId)),
        },
      };
    },
    crateArchive: async (caller, runId) => {
      const run = requireVisibleRun(read, runId, caller);
      const { parts } = await crate(caller, run);
      const madeAt = new Date(run.endedMs ?? run.updatedMs);
      return { name: `crate-${runId}.zip`, open: () => zipArchive(parts, madeAt) };
    },
  };
}

function requireEnded(read: LogReader, runId: string, caller: Caller): RunRow {
  const run = requireVisibleRun(read, runId, caller);
  if (run.endedMs === null) throw new Refusal("conflict", `The run ${runId} has not ended; compare it when it has.`);
  return run;
}

/** Links within an output may lead anywhere: what they lead to must lie within reach as well. */
export async function realPathOf(
  uri: string,
  { roots, reach }: { readonly roots: AllowedRoots; readonly reach: Reach },
): Promise<string | undefined> {
  const found = await roots.resolve(uri, reach);
  return found.kind === "found" ? found.realPath : undefined;
}

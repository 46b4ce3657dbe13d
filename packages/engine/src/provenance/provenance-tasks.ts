import type { RunComparison, Tolerance } from "@weft/shared/records/comparison-record.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { requireVisibleRun, visibleOwner } from "../access/visible-runs.ts";
import { zipArchive } from "../archive/zip-archive.ts";
import type { RunRow } from "../journal/rows.ts";
import type { Caller } from "../port/caller.ts";
import { hashed, type Bytes, type Reading } from "../read/reading.ts";
import { compareRuns } from "./compare/compare-runs.ts";
import { usedByRun } from "./compare/used-by-run.ts";
import { crateOfRun } from "./crate-of-run.ts";
import { lineageOfRun } from "./lineage-of-run.ts";
import { provOfRun } from "./prov-document.ts";
import { realPathOf } from "./real-path-of.ts";

export function provenanceTasks({ read, roots, access, folders }: Reading) {
  const { uris } = roots;
  return (caller: Caller) => {
    const { links } = caller;
    const required = (runId: string) => requireVisibleRun(read, runId, caller);
    const located = () => {
      const { reach } = access.ofCaller(caller);
      return { reach, resolve: (uri: string) => realPathOf(uri, { roots, reach }) };
    };
    const crate = (run: RunRow) =>
      crateOfRun(run, { read, uris, runsFolder: folders.places.runs, access, ...located() });
    return {
      /** A run with the runs before and after it. */
      lineage: (runId: string, depth: number, sample: string | undefined) =>
        read.snapshot(() => {
          required(runId);
          return lineageOfRun({ runId, depth, sample, visibleOwner: visibleOwner(caller) }, read, links);
        }),
      provJson: (runId: string): Bytes => hashed(JSON.stringify(provOfRun(required(runId), read))),
      crateMetadata: async (runId: string): Promise<Bytes> => hashed((await crate(required(runId))).metadata),
      crate: async (runId: string) => {
        const run = required(runId);
        return zipArchive((await crate(run)).parts, new Date(run.endedMs ?? run.updatedMs));
      },
      comparison: async (runIds: readonly [string, string], tolerance: Tolerance): Promise<RunComparison> => {
        const [first, second] = [ended(required(runIds[0])), ended(required(runIds[1]))];
        return {
          run_id: first.runId,
          with: second.runId,
          ...(await compareRuns({ first, second }, read, { tolerance, uris, ...located() })),
          used: {
            first: usedByRun(first, read.jobsOfRun(first.runId)),
            second: usedByRun(second, read.jobsOfRun(second.runId)),
          },
        };
      },
    };
  };
}

function ended(run: RunRow): RunRow {
  if (run.endedMs === null)
    throw new Refusal("conflict", `The run ${run.runId} has not finished; compare it when it has.`);
  return run;
}

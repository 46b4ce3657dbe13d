import { realpath } from "node:fs/promises";
import { absent } from "../files/absent.ts";
import type { EngineProvenance } from "../engine.ts";
import type { AllowedRoots } from "../files/allowed-roots.ts";
import type { LogReader } from "../journal/log-reader.ts";
import { requireRun } from "../run/run-queries.ts";
import { crateOfRun } from "./crate-of-run.ts";
import { provN } from "./prov-n.ts";
import { provOfRun } from "./prov-of-run.ts";

export interface ProvenanceServiceOptions {
  readonly read: LogReader;
  readonly roots: AllowedRoots;
  readonly runsFolder: string;
}

/** What others want to know of runs, in their own words. All of it is read from the log. */
export function createProvenanceService({ read, roots, runsFolder }: ProvenanceServiceOptions): EngineProvenance {
  const resolve = (uri: string) => realPathOf(uri, roots);
  return {
    provN: ({ links }, runId) => provN(provOfRun(requireRun(read, runId), read, links)),
    crate: ({ links }, runId) => {
      const run = requireRun(read, runId);
      return crateOfRun(run, { read, uris: roots.uris, runsFolder, links, resolve });
    },
  };
}

/** Links within an output may lead anywhere: what they lead to must lie in an allowed folder as well. */
async function realPathOf(uri: string, roots: AllowedRoots): Promise<string | undefined> {
  const found = await roots.resolve(uri);
  return found.kind === "found" ? realpath(found.path).catch(absent) : undefined;
}

import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Caller, EngineProvenance } from "@weft/engine/engine.ts";
import type { FakeRuns } from "./fake-runs.ts";

const NOTHING_USED = {
  duration_ms: 0,
  attempts: 0,
  jobs_cached: 0,
  running_ms: 0,
  cpu_ms: null,
  cpu_measured: 0,
  max_rss_bytes: null,
  memory_measured: 0,
  memory_sources: [],
  steps: [],
};

/** What the log would say, without a log. */
export function fakeProvenance(
  requireRun: (caller: Caller, runId: string) => void,
  runs: Pick<FakeRuns, "add" | "get">,
): EngineProvenance {
  return {
    provN: (caller, runId) => {
      requireRun(caller, runId);
      return "document\nendDocument\n";
    },
    crate: async (caller, runId) => {
      requireRun(caller, runId);
      return { metadata: '{"@graph":[]}\n', parts: [] };
    },
    crateArchive: async (caller, runId) => {
      requireRun(caller, runId);
      return { name: `crate-${runId}.zip`, open: () => Readable.from([Buffer.from("zip")]) };
    },
    importCrate: async (caller, crate) => {
      const content = crate.kind === "zip" ? await buffer(crate.content) : Buffer.alloc(0);
      if (String(content) === "known") throw new Refusal("conflict", "The run was imported already.");
      if (String(content) === "too long") throw new Refusal("body-too-large", "A crate may have at most 3 bytes.");
      if (content.length === 0) throw new Refusal("invalid-crate", "The zip cannot be read: it is no zip.");
      return runs.get(caller, runs.add(undefined, caller.principal).id);
    },
    lineage: (caller, runId) => {
      requireRun(caller, runId);
      return { run_id: runId, steps: [], flows: [], runs: [], links: [] };
    },
    compare: async (caller, [runId, other]) => {
      for (const id of [runId, other]) requireRun(caller, id);
      return {
        run_id: runId,
        with: other,
        result: "identical",
        sentence: "Same document, same inputs: the output is identical.",
        same_document: true,
        inputs_compared: 1,
        outputs_compared: 1,
        inputs: [],
        outputs: [],
        surroundings: [],
        first_difference: null,
        used: { first: NOTHING_USED, second: NOTHING_USED },
      };
    },
  };
}

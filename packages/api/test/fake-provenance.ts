import { Readable } from "node:stream";
import type { Caller, EngineProvenance } from "@weft/engine/engine.ts";

/** What the log would say, without a log. */
export function fakeProvenance(requireRun: (caller: Caller, runId: string) => void): EngineProvenance {
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
    lineage: (caller, runId) => {
      requireRun(caller, runId);
      return { run_id: runId, steps: [], flows: [], runs: [], links: [] };
    },
    compare: async ([runId, other], _tolerance, caller) => {
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
      };
    },
  };
}

import { Readable } from "node:stream";
import type { EngineProvenance } from "@weft/engine/engine.ts";

/** What the log would say, without a log. */
export const fakeProvenance: EngineProvenance = {
  provN: () => "document\nendDocument\n",
  crate: async () => ({ metadata: '{"@graph":[]}\n', parts: [] }),
  crateArchive: async (_caller, runId) => ({
    name: `crate-${runId}.zip`,
    open: () => Readable.from([Buffer.from("zip")]),
  }),
  lineage: (_caller, runId) => ({ run_id: runId, steps: [], flows: [], runs: [], links: [] }),
  compare: async ([runId, other]) => ({
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
  }),
};

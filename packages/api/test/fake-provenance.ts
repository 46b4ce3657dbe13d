import { hash } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Caller, EngineProvenance } from "@weft/engine/port/engine.ts";
import type { HashedText } from "@weft/engine/port/engine.ts";
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

function hashed(text: string): HashedText {
  return { bytes: Buffer.from(text), sha256: hash("sha256", text, "base64url") };
}

/** What the log would say, without a log. */
export function fakeProvenance(
  requireRun: (caller: Caller, runId: string) => void,
  runs: Pick<FakeRuns, "add" | "get">,
): EngineProvenance {
  return {
    provJson: async (caller, runId) => {
      requireRun(caller, runId);
      return hashed(JSON.stringify({ prefix: {}, activity: { [runId]: {} } }));
    },
    provN: async (caller, runId) => {
      requireRun(caller, runId);
      return hashed("document\nendDocument\n");
    },
    crateMetadata: async (caller, runId) => {
      requireRun(caller, runId);
      return hashed('{"@graph":[]}\n');
    },
    crateArchive: async (caller, runId) => {
      requireRun(caller, runId);
      return { name: `crate-${runId}.zip`, open: () => Readable.from([Buffer.from("zip")]) };
    },
    importCrate: async (caller, crate) => {
      const content = crate.kind === "zip" ? await buffer(crate.content) : Buffer.alloc(0);
      if (String(content) === "known") throw new Refusal("conflict", "The run was imported already.");
      if (String(content) === "too long") throw new Refusal("body-too-large", "A crate may have at most 3 bytes.");
      if (content.length === 0)
        throw new Refusal("invalid-crate", "This is not a valid or complete zip file: it is empty.");
      return runs.get(caller, runs.add(undefined, caller.principal).id);
    },
    lineage: async (caller, runId) => {
      requireRun(caller, runId);
      return { run_id: runId, steps: [], files: [], flows: [], runs: [], links: [] };
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

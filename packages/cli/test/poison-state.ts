import { createHash } from "node:crypto";
import { join } from "node:path";
import type { NewEvent } from "@weft/engine/journal/journal-event.ts";
import { openLog } from "@weft/engine/app/open-log.ts";
import { scatterNetwork, strings } from "@weft/engine/testing/scatter-catalog.ts";
import { runCreated } from "@weft/engine/journal/testing/new-events.ts";

const runId = (n: number) => `019a9c5e-7b1a-7cc0-8000-00000000000${n}`;

/** The runs of a poisoned state folder: three that cannot continue, and a wide one that can. */
export const POISONED = [runId(0), runId(1), runId(2), runId(3)] as const;

const [bomb, wide, deep, lost] = POISONED;

const blob = (text: string) => ({ digest: `sha256:${createHash("sha256").update(text).digest("hex")}`, text });

function created(runId: string, network: string, inputs: string): NewEvent {
  const [document, given] = [blob(scatterNetwork(network)), blob(inputs)];
  const texts = { document: document.digest, inputs: given.digest };
  const document_uri = `weft-data://catalog/networks/${network}/${network}.cwl`;
  const steps = [{ step: "s", jobs_total: 0, jobs_total_is_final: false }];
  return {
    ...runCreated(runId, { ...texts, kind: "network", process_id: network, document_uri, steps }),
    blobs: [document, given],
  };
}

/** An event of a server that queued everything at once. */
function queued(n: number): NewEvent {
  const call = `s[${n - 1}]`;
  return {
    type: "job.queued",
    run_id: wide,
    job_id: `s-${n - 1}`,
    step: "s",
    actor: "engine",
    data: { call_id: call, n, scatter_index: [n - 1], tool: { id: null, version: null, class: "ExpressionTool" } },
  };
}

function ended(n: number, outputs: string): NewEvent {
  const nothing = { reason: null, exit_code: null, signal: null, cpu_ms: null, max_rss_bytes: null, files: [] };
  const data = { ...nothing, state: "COMPLETE" as const, outputs };
  return { type: "job.ended", run_id: wide, job_id: `s-${n - 1}`, step: "s", actor: "engine", data };
}

/** Fills the log of an empty state folder. The wide run has `jobs` jobs; half of them have ended. */
export async function poisonState(state: string, jobs: number): Promise<void> {
  const log = await openLog(join(state, "weft.db"), "fast");
  const k = strings(1_000);
  const output = blob('{"o":"x"}');
  await log.append([
    created(bomb, "flat", JSON.stringify({ a: k, b: k, c: k })),
    created(wide, "each", JSON.stringify({ a: strings(jobs) })),
    created(deep, "each", `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`),
    created(lost, "each", "{"),
  ]);
  const numbers = Array.from({ length: jobs }, (_, at) => at + 1);
  for (let from = 0; from < jobs; from += 10_000)
    await log.append(
      numbers.slice(from, from + 10_000).map((n, at) => ({ ...queued(n), ...(at === 0 ? { blobs: [output] } : {}) })),
    );
  for (let from = 0; from < jobs / 2; from += 10_000)
    await log.append(numbers.slice(from, from + 10_000).map((n) => ended(n, output.digest)));
  await log.close();
}

import { createEvaluator } from "@weft/cwl/expression/evaluate.ts";
import { bindInputs } from "@weft/cwl/files/bind-inputs.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import { secretInputs } from "@weft/cwl/model/secret-inputs.ts";
import type { RunOptions } from "@weft/shared/records/run-record.ts";
import { effectiveRequirements } from "@weft/cwl/model/effective-requirements.ts";
import type { Reproduce } from "@weft/shared/records/comparison-record.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { containerWishes } from "../../container/container-wishes.ts";
import type { Caller } from "../../port/engine.ts";
import { restoreValues } from "../../values/record-values.ts";
import type { RunRow } from "../../journal/rows.ts";
import { earlierDataset, keptDataset } from "../begin/dataset-inputs.ts";
import { originalRun } from "../drive/run-context.ts";
import { loadRecordedDocument } from "../begin/recorded-document.ts";
import type { RecordedDocument } from "../begin/recorded-document.ts";
import { refuseUnmetContainers } from "../../jobs/job-container.ts";
import type { RunIds } from "../begin/run-ids.ts";
import type { RunLog } from "../../journal/run-log.ts";
import type { BeginServices } from "../begin/begin-run.ts";
import type { ScriptEngine } from "@weft/cwl/expression/script-engine.ts";
import type { Limits } from "@weft/shared/limits.ts";
import type { RunRegistry } from "../drive/run-registry.ts";
import { refuseForeign } from "./retry-run.ts";
import { prunedInput, startRun } from "../begin/start-run.ts";
import type { NewRun } from "../begin/start-run.ts";

export interface ReproduceServices extends BeginServices {
  readonly script: ScriptEngine;
  readonly limits: Limits;
}

export interface ReproduceOptions {
  readonly request: Reproduce;
  readonly services: ReproduceServices;
  readonly registry: RunRegistry;
  readonly ids: RunIds;
}

/**
 * Starts a new run with the recorded document and inputs, independent of the catalog. Resolves with its id when it is
 * durable and started. Refuses a run that has not ended.
 */
export async function reproduceRun(
  caller: Caller,
  original: RunRow,
  { request, services, registry, ids }: ReproduceOptions,
): Promise<string> {
  if (original.endedMs === null) throw new Refusal("conflict", "The run has not ended; reproduce it when it has.");
  refuseForeign(original.imported);
  const document = await loadRecordedDocument(original, { read: services.journal.read, uris: services.uris });
  refuseSecrets(document.process);
  const warnings = await refuseUnmetContainers(containerWishes(document.process), services);
  const run = newRun(caller, { runId: ids.next(), original, request, document }, services);
  const actor = await startRun(run, { services, registry });
  if (actor === undefined) throw prunedInputs(run, services) ?? new Error("the log refused a new run");
  for (const warning of warnings) services.log("warn", warning, { run_id: run.runId });
  return run.runId;
}

/** A reproduction runs every job and reuses no earlier results. */
function withoutCache(options: RunOptions): RunOptions {
  return { ...options, cache: "off" };
}

function refuseSecrets(process: Process): void {
  if (secretInputs(process).size === 0) return;
  throw new Refusal("conflict", "The run had secret inputs, which are not stored: start it again with them.");
}

interface Reproduction {
  readonly runId: string;
  readonly original: RunRow;
  readonly request: Reproduce;
  readonly document: RecordedDocument;
}

function newRun(
  caller: Caller,
  { runId, original, request, document }: Reproduction,
  services: ReproduceServices,
): NewRun {
  const { process, formats } = document;
  const { relative = 0, absolute = 0 } = request.tolerance ?? {};
  const values = restoreValues(services.journal.read.blob(original.inputs), services.uris);
  const requirements = effectiveRequirements([process]);
  const { script, limits } = services;
  const evaluator = createEvaluator({ script, requirements, cwlVersion: process.cwlVersion, limits });
  return {
    runId,
    actor: caller.principal,
    name: request.name ?? `${original.name} (again)`.slice(0, 200),
    tags: original.tags,
    options: withoutCache(original.options),
    process,
    formats,
    place: { kind: original.kind, id: original.processId, version: original.processVersion },
    processDigest: original.processDigest,
    document: { digest: original.document },
    documentUri: original.documentUri,
    inputs: { digest: original.inputs },
    values,
    bind: (files) => bindInputs({ process, values, files, evaluator, requirements, ...formats }),
    samples: original.samples,
    // Copies of the original outputs stay unchanged.
    sinks: {},
    reproduces: { run_id: original.runId, tolerance: { relative, absolute } },
    dataset: keptDataset(earlierDataset(original, services.journal.read), original.samples),
    original: originalRun(original.runId, services.journal.read),
  };
}

function prunedInputs({ values }: NewRun, log: RunLog): Refusal | undefined {
  const pruned = prunedInput(values, log);
  if (pruned === undefined) return undefined;
  return new Refusal("conflict", `An input of the run is in ${pruned}, which is being removed or has been removed.`);
}

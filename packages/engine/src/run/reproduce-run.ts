import { createEvaluator } from "@weft/cwl/expression/evaluate.ts";
import { bindInputs } from "@weft/cwl/files/bind-inputs.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import { secretInputs } from "@weft/cwl/model/secret-inputs.ts";
import type { RunOptions } from "@weft/shared/records/run-record.ts";
import { effectiveRequirements } from "@weft/cwl/model/effective-requirements.ts";
import type { Reproduce } from "@weft/shared/records/comparison-record.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { containerWishes } from "../container/container-wishes.ts";
import type { Caller } from "../engine.ts";
import { restoreValues } from "../job/record-values.ts";
import type { NewEvent } from "../journal/journal-event.ts";
import type { RunRow } from "../journal/rows.ts";
import { originalRun } from "./original-run.ts";
import { listSteps } from "./list-steps.ts";
import { recordInputsBeside } from "./record-inputs.ts";
import { loadRecordedDocument } from "./recorded-document.ts";
import type { RecordedDocument } from "./recorded-document.ts";
import { refuseUnmetContainers } from "./review-containers.ts";
import type { RunIds } from "./run-ids.ts";
import type { RunServices } from "./run-services.ts";
import type { RunRegistry } from "./run-registry.ts";

export interface ReproduceServices {
  readonly services: RunServices;
  readonly registry: RunRegistry;
  readonly ids: RunIds;
}

/**
 * A new run of what the log says that was run: the recorded document and inputs, whatever became of the catalog. Durable when
 * it resolves with the new run's id; execution has been started. Refuses a run that has not ended.
 */
export async function reproduceRun(
  caller: Caller,
  original: RunRow,
  { request, services, registry, ids }: ReproduceServices & { readonly request: Reproduce },
): Promise<string> {
  if (original.endedMs === null)
    throw new Refusal("conflict", "The run has not ended; there is nothing yet that could be reproduced.");
  const document = await loadRecordedDocument(original, { read: services.journal.read, uris: services.uris });
  refuseSecrets(document.process);
  const wishes = containerWishes(document.process);
  const warnings = await refuseUnmetContainers(wishes, services);
  const runId = ids.next();
  await services.journal.append([createdEvent(caller, { runId, original, request, document }, services)]);
  for (const warning of warnings) services.log("warn", warning, { run_id: runId });
  start(runId, original, { document, services, registry });
  return runId;
}

/** What is to show that it can be made again is made again. */
function anew(options: RunOptions): RunOptions {
  return { ...options, cache: "off" };
}

function refuseSecrets(process: Process): void {
  if (secretInputs(process).size === 0) return;
  throw new Refusal("conflict", "The run had secret inputs, which are kept nowhere: start it again with them.");
}

interface Reproduction {
  readonly runId: string;
  readonly original: RunRow;
  readonly request: Reproduce;
  readonly document: RecordedDocument;
}

function createdEvent(
  caller: Caller,
  { runId, original, request, document }: Reproduction,
  { version }: RunServices,
): NewEvent {
  const { kind, processId, processVersion, processDigest, processLabel, name } = original;
  const { relative = 0, absolute = 0 } = request.tolerance ?? {};
  return {
    type: "run.created",
    run_id: runId,
    actor: caller.principal,
    data: {
      kind,
      process_id: processId,
      process_version: processVersion,
      process_digest: processDigest,
      ...(processLabel === null ? {} : { process_label: processLabel }),
      name: request.name ?? `${name} (again)`.slice(0, 200),
      tags: original.tags,
      options: anew(original.options),
      document: original.document,
      document_uri: original.documentUri,
      inputs: original.inputs,
      samples: original.samples,
      steps: listSteps(document.process),
      reproduces: { run_id: original.runId, tolerance: { relative, absolute } },
      engine_version: version,
    },
  };
}

function start(
  runId: string,
  { runId: original, kind, processId, inputs, options, samples }: RunRow,
  { document, services, registry }: Omit<ReproduceServices, "ids"> & { readonly document: RecordedDocument },
): void {
  const { process, formats } = document;
  const values = restoreValues(services.journal.read.blob(inputs), services.uris);
  const requirements = effectiveRequirements([process]);
  const evaluator = createEvaluator({
    script: services.script,
    requirements,
    cwlVersion: process.cwlVersion,
    limits: services.limits,
  });
  registry.start({
    runId,
    process,
    place: { kind, processId },
    formats,
    values,
    bind: async (files) => {
      const bound = await bindInputs({ process, values, files, evaluator, requirements, ...formats });
      void recordInputsBeside({ runId, bound, files }, services);
      return bound;
    },
    options: anew(options),
    samples,
    // What was placed elsewhere stays as it was.
    sinks: {},
    recorded: () => undefined,
    original: originalRun(original, services.journal.read),
  });
}

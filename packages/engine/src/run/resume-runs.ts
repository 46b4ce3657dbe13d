import { createEvaluator } from "@weft/cwl/expression/evaluate.ts";
import { bindInputs } from "@weft/cwl/files/bind-inputs.ts";
import { effectiveRequirements } from "@weft/cwl/model/effective-requirements.ts";
import { secretInputs } from "@weft/cwl/model/secret-inputs.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { brokenRun } from "../job/job-failure.ts";
import { restoreValues } from "../job/record-values.ts";
import { DamagedRecord } from "../journal/damaged-record.ts";
import type { RunRow } from "../journal/rows.ts";
import { originalRun } from "./original-run.ts";
import { loadBegun } from "./load-begun.ts";
import type { RunRegistry } from "./run-registry.ts";
import type { RunServices } from "./run-services.ts";

/** Takes up every run that an earlier server left open. One that cannot be taken up ends with the reason; the others go on. */
export async function resumeRuns(services: RunServices, registry: RunRegistry, catalog: Catalog): Promise<void> {
  for (const row of services.journal.read.openRuns()) {
    try {
      await resumeRun(row, services, { registry, catalog });
    } catch (error) {
      services.log("error", "a run could not be taken up again", { run_id: row.runId, error: String(error) });
      await services.executor.kill({ runId: row.runId, graceMs: services.graceMs });
      const data = { ...brokenRun(error), outcome: "failure" as const, outputs: null, files: [] };
      await services.journal.append([{ type: "run.ended", run_id: row.runId, actor: "engine", data }]);
    }
  }
}

async function resumeRun(
  row: RunRow,
  services: RunServices,
  { registry, catalog }: { readonly registry: RunRegistry; readonly catalog: Catalog },
): Promise<void> {
  const { read } = services.journal;
  requireWhole(row.damaged);
  const begun = await loadBegun(row, services, catalog);
  if (begun === undefined) throw new Error("the run's document cannot be read any more");
  const { process, formats } = begun;
  services.secrets.takeUp(row.runId, row.state !== "CANCELING" && secretInputs(process).size > 0);
  const values = restoreValues(read.blob(row.inputs), services.uris);
  const requirements = effectiveRequirements([process]);
  const evaluator = createEvaluator({
    script: services.script,
    requirements,
    cwlVersion: process.cwlVersion,
    limits: services.limits,
  });
  const driver = registry.start({
    runId: row.runId,
    process,
    place: row,
    formats,
    values,
    bind: (files) => bindInputs({ process, values, files, evaluator, requirements, ...formats }),
    pinned: read.pinnedFiles(row.runId),
    options: row.options,
    samples: row.samples,
    sinks: row.sinks,
    recorded: (callId) => {
      const job = read.jobByCall(row.runId, callId);
      requireWhole(job?.damaged ?? []);
      return job;
    },
    ...(row.reproduces === null ? {} : { original: originalRun(row.reproduces.run_id, read) }),
    jobsRecorded: read.lastJobNumber(row.runId),
  });
  // Before it can hand over a job: it has not even its inputs yet.
  if (row.state === "PAUSED") services.scheduler.pause(row.runId);
  if (row.state === "CANCELING") driver.abort();
  services.log("info", "a run was taken up again", { run_id: row.runId, state: row.state });
}

function requireWhole(damaged: readonly string[]): void {
  if (damaged.length > 0) throw new DamagedRecord(damaged);
}

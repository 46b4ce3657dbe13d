import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { InputProblem } from "@weft/cwl/values/input-problem.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { WeftEvent } from "@weft/shared/events/event.ts";
import type { RunState, StateReason } from "@weft/shared/records/state.ts";
import { PortableUris } from "../files/portable-uri.ts";
import { recordValues, restoreValues } from "../values/record-values.ts";
import type { JobRow } from "../journal/rows.ts";
import type { DocumentProvenance } from "../provenance/leave-crate.ts";
import { checkDocument } from "./check-document.ts";
import type { CheckedDocument, GivenDocument, WrongDocument } from "./check-document.ts";
import { openDocumentServices } from "./document-services.ts";
import type { DocumentSettings } from "./document-services.ts";
import { recordInputsInBackground } from "../runs/begin/record-inputs.ts";
import type { StartedRun } from "../runs/begin/record-inputs.ts";
import { RunRegistry } from "../runs/drive/run-registry.ts";
import type { RunServices } from "../runs/drive/run-services.ts";
import { keptText, startRun } from "../runs/begin/start-run.ts";
import type { NewRun } from "../runs/begin/start-run.ts";

export interface DocumentRun extends GivenDocument, DocumentSettings {
  readonly outdir: string;
  /** What is written about the run at its end; absent: nothing. */
  readonly provenance?: DocumentProvenance | undefined;
  readonly onEvents: (events: readonly WeftEvent[], failedJob: () => JobRow | undefined) => void;
  readonly signal: AbortSignal;
}

/** Processes of a run are found by its id: it must be unique on the machine. */
type IdentifiedRun = DocumentRun & { readonly runId: string };

export type DocumentResult =
  | WrongDocument
  | {
      readonly kind: "ended";
      readonly state: RunState;
      readonly reason: StateReason | null;
      readonly outputs: CwlObject | undefined;
      readonly problems: readonly InputProblem[];
    };

/** Runs one document without a server, by the same engine. */
export async function runDocument(run: DocumentRun): Promise<DocumentResult> {
  try {
    return await runOnce(run);
  } finally {
    // Nothing else is to be done any more, so nothing is kept waiting.
    rmSync(run.scratch, { recursive: true, force: true });
  }
}

async function runOnce(run: DocumentRun): Promise<DocumentResult> {
  const services = await openDocumentServices(run);
  try {
    return await execute({ ...run, runId: randomUUID() }, services);
  } finally {
    await services.close();
  }
}

async function execute(run: IdentifiedRun, services: RunServices): Promise<DocumentResult> {
  const checked = await checkDocument(run, services);
  if (checked.kind !== "ready") return checked;
  await mkdir(join(services.runsFolder, run.runId), { recursive: true });
  const stop = services.journal.subscribe((events) =>
    run.onEvents(events, () => services.journal.read.firstFailedJob(run.runId)),
  );
  let recorded = Promise.resolve();
  const onBound = (bound: StartedRun) => {
    if (run.provenance !== undefined) recorded = recordInputsInBackground(bound, services);
  };
  const registry = new RunRegistry(services, undefined);
  const driver = await startRun({ ...newRun(run, checked), onBound }, { services, registry });
  if (driver === undefined) throw new Error("a new run was refused by the journal");
  run.signal.addEventListener("abort", () => driver.abort(), { once: true });
  await driver.ended;
  stop();
  await recorded;
  await leaveProvenance(run, services);
  return resultOf(run.runId, services, checked.problems);
}

/** Loads the modules that describe a run only for a run that asks for it: most do not, and loading costs time. */
async function leaveProvenance(run: IdentifiedRun, services: RunServices): Promise<void> {
  const { folder, sidecars = false } = run.provenance ?? {};
  if (folder !== undefined) await (await import("../provenance/leave-crate.ts")).leaveCrate(run, folder, services);
  if (sidecars) await (await import("../provenance/leave-sidecars.ts")).leaveSidecars(run, services);
}

function resultOf(
  runId: string,
  { journal, uris }: Pick<RunServices, "journal" | "uris">,
  problems: readonly InputProblem[],
): DocumentResult {
  const row = journal.read.run(runId);
  if (row === undefined) throw new Error("the run left no record");
  const outputs = row.outputs === null ? undefined : restoreValues(journal.read.blob(row.outputs), uris);
  return { kind: "ended", state: row.state, reason: row.reason, outputs, problems };
}

function newRun(run: IdentifiedRun, { values, secrets, bind, inputs }: CheckedDocument): NewRun {
  const { process, runId, formats, overrides, outdir, provenance } = run;
  const { blob } = recordValues(inputs, new PortableUris({}));
  // Nobody asks for the document of a run that leaves nothing behind, so it is not recorded then.
  const document = provenance === undefined ? blob : keptText(provenance.document);
  return {
    runId,
    actor: "local",
    name: process.label ?? process.name,
    tags: {},
    // Its log and the files of its jobs are gone when it ends, so that nothing is gained by what ran after a failure.
    options: { cache: "off", on_failure: "finish_running" },
    process,
    formats,
    place: { kind: process.class === "Workflow" ? "network" : "tool", id: process.name, version: null },
    processDigest: provenance === undefined ? "" : document.digest,
    document,
    documentUri: process.id,
    inputs: blob,
    values,
    secrets,
    bind,
    samples: {},
    sinks: {},
    overrides,
    outputsFolder: outdir,
  };
}

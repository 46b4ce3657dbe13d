import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { InputProblem } from "@weft/cwl/values/input-problem.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { WeftEvent } from "@weft/shared/events/event.ts";
import type { RunOptions } from "@weft/shared/records/run-record.ts";
import type { RunState, StateReason } from "@weft/shared/records/state.ts";
import { PortableUris } from "../files/portable-uri.ts";
import { removeScratch } from "../files/remove-scratch.ts";
import { recordValues, restoreValues } from "../values/record-values.ts";
import type { JobRow } from "../journal/rows.ts";
import type { DocumentProvenance } from "../provenance/write-crate.ts";
import { checkDocument, type CheckedDocument, type GivenDocument, type WrongDocument } from "./check-document.ts";
import { openDocumentServices, type DocumentSettings } from "./document-services.ts";
import { readRunSnapshot, type RunSnapshot } from "./read-run-snapshot.ts";
import { recordInputsInBackground, type StartedRun } from "../runs/begin/record-inputs.ts";
import { RunRegistry } from "../runs/drive/run-registry.ts";
import type { RunServices } from "../runs/drive/run-services.ts";
import { startRun, type RunRequest } from "../runs/begin/start-run.ts";
import { textDigest } from "../files/hash-file.ts";
import type { RunLog } from "../journal/run-log.ts";

export interface DocumentRun extends GivenDocument, DocumentSettings {
  readonly outdir: string;
  /** The policy after a failed job; with `finish_running`, no more jobs start. */
  readonly onFailure?: RunOptions["on_failure"];
  /** Keeps the scratch folder for debugging. */
  readonly keepScratch?: boolean;
  /** The provenance files to write at the end of the run, if any. */
  readonly provenance?: DocumentProvenance | undefined;
  readonly onEvents: (events: readonly WeftEvent[], view: RunView) => void;
  readonly signal: AbortSignal;
}

/** Information about a run in progress. */
export interface RunView {
  failedJob(): JobRow | undefined;
  look(): Promise<RunSnapshot | undefined>;
}

/** Processes of a run are found by its id, which must be unique on the machine. */
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

/** Runs one document without a server, using the same engine. */
export async function runDocument(run: DocumentRun): Promise<DocumentResult> {
  try {
    return await runOnce(run);
  } finally {
    if (run.keepScratch !== true) await removeScratch(run.scratch, (message) => run.warn?.(message));
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
  const view: RunView = {
    failedJob: () => services.journal.read.firstFailedJob(run.runId),
    look: () => readRunSnapshot(run, services),
  };
  const stop = services.journal.subscribe((events) => run.onEvents(events, view));
  let recorded = Promise.resolve();
  const onBound = (bound: StartedRun) => {
    if (run.provenance !== undefined) recorded = recordInputsInBackground(bound, services);
  };
  const registry = new RunRegistry(services, undefined);
  const nextId = () => run.runId;
  const { actor } = await startRun(requestOf(run, checked), { services, registry, nextId, onBound });
  run.signal.addEventListener("abort", () => actor?.abort(), { once: true });
  await actor?.ended;
  stop();
  await recorded;
  await leaveProvenance(run, services);
  return resultOf(run.runId, services, checked.problems);
}

/** Loads these modules only for runs that need them: most do not, and loading takes time. */
async function leaveProvenance(run: IdentifiedRun, services: RunServices): Promise<void> {
  const { folder, sidecars = false } = run.provenance ?? {};
  if (folder !== undefined) await (await import("../provenance/write-crate.ts")).writeCrate(run, folder, services);
  if (sidecars) await (await import("../provenance/write-sidecars.ts")).writeSidecars(run, services);
}

function resultOf(runId: string, { journal, uris }: RunLog, problems: readonly InputProblem[]): DocumentResult {
  const row = journal.read.run(runId);
  if (row === undefined) throw new Error("the run has no record");
  const outputs = row.outputs === null ? undefined : restoreValues(journal.read.blob(row.outputs), uris);
  return { kind: "ended", state: row.state, reason: row.reason, outputs, problems };
}

function requestOf(run: DocumentRun, { values, secrets, bind, inputs }: CheckedDocument): RunRequest {
  const { process, formats, overrides, outdir, provenance } = run;
  const { blob } = recordValues(inputs, new PortableUris({}));
  // A run without provenance never shows its document, so the log does not keep it.
  const packed = provenance?.document ?? blob.text;
  const place = { kind: process.class === "Workflow" ? "network" : "tool", id: process.name, version: null } as const;
  const digest = provenance === undefined ? "" : textDigest(packed);
  const entry = { process, formats, place, digest, packed, uri: process.id };
  const more = { overrides, outputsFolder: outdir };
  return {
    owner: "local",
    name: process.label ?? process.name,
    // The log and the job files disappear at the end, so continuing after a failure would gain nothing by default.
    options: { cache: "off", on_failure: run.onFailure ?? "finish_running" },
    resolve: async () => ({ entry, values, inputs: blob, secrets, bind, samples: {}, sinks: {}, more }),
  };
}

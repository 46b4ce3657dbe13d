import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { InputProblem } from "@weft/cwl/files/input-problem.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { WeftEvent } from "@weft/shared/records/event-record.ts";
import type { RunState, StateReason } from "@weft/shared/records/state.ts";
import { textDigest } from "../files/hash-file.ts";
import { PortableUris } from "../files/portable-uri.ts";
import { recordValues, restoreValues } from "../job/record-values.ts";
import type { JobRow } from "../journal/rows.ts";
import { leaveCrate } from "../provenance/leave-crate.ts";
import type { DocumentProvenance } from "../provenance/leave-crate.ts";
import { leaveSidecars } from "../provenance/leave-sidecars.ts";
import { checkDocument } from "./check-document.ts";
import type { GivenDocument, WrongDocument } from "./check-document.ts";
import { openDocumentServices } from "./document-services.ts";
import type { DocumentSettings } from "./document-services.ts";
import { listSteps } from "./list-steps.ts";
import { recordInputsBeside } from "./record-inputs.ts";
import { RunRegistry } from "./run-registry.ts";
import type { RunServices } from "./run-services.ts";

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
  const { process } = run;
  const checked = await checkDocument(run, services);
  if (checked.kind !== "ready") return checked;
  await mkdir(join(services.runsFolder, run.runId), { recursive: true });
  const stop = services.journal.subscribe((events) =>
    run.onEvents(events, () => services.journal.read.firstFailedJob(run.runId)),
  );
  services.secrets.keep(run.runId, checked.secrets);
  await services.journal.append([createdEvent(run, checked.inputs, services.version)]);
  let recorded = Promise.resolve();
  const registry = new RunRegistry(services, undefined);
  const driver = registry.start({
    runId: run.runId,
    process,
    place: { kind: process.class === "Workflow" ? "network" : "tool", processId: process.name },
    formats: run.formats,
    values: checked.values,
    bind: async (files) => {
      const bound = await checked.bind(files);
      if (run.provenance !== undefined) recorded = recordInputsBeside({ runId: run.runId, bound, files }, services);
      return bound;
    },
    // Its log and the files of its jobs are gone when it ends.
    options: { cache: "off" },
    samples: {},
    sinks: {},
    overrides: run.overrides,
    outputsFolder: run.outdir,
    recorded: () => undefined,
  });
  run.signal.addEventListener("abort", () => driver.abort(), { once: true });
  await driver.ended;
  stop();
  await recorded;
  if (run.provenance?.folder !== undefined) await leaveCrate(run, run.provenance.folder, services);
  if (run.provenance?.sidecars === true) await leaveSidecars(run, services);
  return resultOf(run.runId, services, checked.problems);
}

function resultOf(runId: string, { journal, uris }: RunServices, problems: readonly InputProblem[]): DocumentResult {
  const row = journal.read.run(runId);
  if (row === undefined) throw new Error("the run left no record");
  const outputs = row.outputs === null ? undefined : restoreValues(journal.read.blob(row.outputs), uris);
  return { kind: "ended", state: row.state, reason: row.reason, outputs, problems };
}

function createdEvent({ process, runId, provenance }: IdentifiedRun, inputs: CwlObject, version: string) {
  const { blob } = recordValues(inputs, new PortableUris({}));
  // Nobody asks for the document of a run that leaves nothing behind: it is not written down then.
  const document =
    provenance === undefined ? blob : { digest: textDigest(provenance.document), text: provenance.document };
  return {
    type: "run.created" as const,
    run_id: runId,
    actor: "local",
    data: {
      kind: process.class === "Workflow" ? ("network" as const) : ("tool" as const),
      process_id: process.name,
      process_version: null,
      process_digest: provenance === undefined ? "" : document.digest,
      name: process.label ?? process.name,
      tags: {},
      options: {},
      document: document.digest,
      document_uri: process.id,
      inputs: blob.digest,
      samples: {},
      steps: listSteps(process),
      engine_version: version,
    },
    blobs: [document, blob],
  };
}

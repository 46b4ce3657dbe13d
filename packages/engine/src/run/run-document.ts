import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { FormatKnowledge } from "@weft/cwl/document/format-knowledge.ts";
import { createEvaluator } from "@weft/cwl/expression/evaluate.ts";
import { bindInputs, inspectInputs } from "@weft/cwl/files/bind-inputs.ts";
import type { InputProblem } from "@weft/cwl/files/input-problem.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import { effectiveRequirements } from "@weft/cwl/model/effective-requirements.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import type { Requirement } from "@weft/cwl/model/requirement.ts";
import type { ContainerKind, ContainerSetting } from "@weft/shared/records/container-record.ts";
import type { WeftEvent } from "@weft/shared/records/event-record.ts";
import type { RunState, StateReason } from "@weft/shared/records/state.ts";
import { ContainerExecutor } from "../container/container-executor.ts";
import { containerWishes } from "../container/container-wishes.ts";
import { WITHOUT_CONTAINER } from "../container/containers.ts";
import { openContainers } from "../container/open-containers.ts";
import { openLocalExecutor } from "../executor/open-local-executor.ts";
import { createDiskFiles } from "../files/disk-files.ts";
import { assumeRemote } from "../files/remote/assume-remote.ts";
import type { DownloadSettings } from "../files/remote/download.ts";
import { DownloadStore } from "../files/remote/download-store.ts";
import { PortableUris } from "../files/portable-uri.ts";
import { RETRY_DELAYS_MS } from "../job/retry-policy.ts";
import { recordValues, restoreValues } from "../job/record-values.ts";
import { openMemoryJournal } from "../journal/memory-journal.ts";
import type { JobRow } from "../journal/rows.ts";
import { capacityOf } from "../schedule/machine-capacity.ts";
import { Scheduler } from "../schedule/scheduler.ts";
import { Sandbox } from "../script/sandbox.ts";
import { listSteps } from "./list-steps.ts";
import { remoteInputs } from "./remote-inputs.ts";
import { RunRegistry } from "./run-registry.ts";
import type { Log, RunServices } from "./run-services.ts";

export interface DocumentRun {
  readonly process: Process;
  readonly formats: FormatKnowledge;
  /** Locations are `file:` addresses. */
  readonly inputs: CwlObject;
  /** `cwl:requirements` of the input object. */
  readonly overrides: readonly Requirement[];
  readonly outdir: string;
  /** Folder for what jobs need while they run; emptied at the end. */
  readonly scratch: string;
  readonly jobs: number | undefined;
  /** Absent: `auto`. */
  readonly container?: ContainerSetting;
  /** For one expression; absent: as the sandbox has it. */
  readonly evalTimeoutMs?: number | undefined;
  /** Folder in which files from the web are kept; absent: they are forgotten at the end. */
  readonly downloads?: string | undefined;
  readonly downloadSettings?: DownloadSettings | undefined;
  readonly log: Log;
  /** Told before anything runs. */
  readonly warn?: (message: string) => void;
  readonly onEvents: (events: readonly WeftEvent[], failedJob: () => JobRow | undefined) => void;
  readonly signal: AbortSignal;
}

/** Processes of a run are found by its id: it must be unique on the machine. */
type IdentifiedRun = DocumentRun & { readonly runId: string };

export type DocumentResult =
  | { readonly kind: "wrong-inputs"; readonly problems: readonly InputProblem[] }
  /** A tool requires what this machine does not have; nothing was started. */
  | { readonly kind: "refused"; readonly message: string; readonly hint: string; readonly problems: [] }
  | {
      readonly kind: "ended";
      readonly state: RunState;
      readonly reason: StateReason | null;
      readonly outputs: CwlObject | undefined;
      readonly problems: readonly InputProblem[];
    };

/** Runs one document without a server: the same engine on a log in memory, which is faster and forgets everything at the end. */
export async function runDocument(run: DocumentRun): Promise<DocumentResult> {
  const services = await createServices(run);
  try {
    return await execute({ ...run, runId: randomUUID() }, services);
  } finally {
    services.containers.close();
    await services.executor.close();
    await services.sandbox.close();
    await services.journal.close();
    // Nothing else is to be done any more, so nothing is kept waiting.
    rmSync(run.scratch, { recursive: true, force: true });
  }
}

async function createServices(run: DocumentRun): Promise<RunServices & { readonly sandbox: Sandbox }> {
  const sandbox = new Sandbox(run.evalTimeoutMs);
  // What is to be known of containers is told by warnings and events.
  const setting = run.container ?? "auto";
  const containers = openContainers({ setting, imagesFolder: imagesFolder(), log: () => {}, passesOver: true });
  const engineOf = (kind: ContainerKind) => containers.engine(kind);
  // Nothing but a server outlives its jobs: trying control groups would take longer than many a run.
  const { executor: inner } = await openLocalExecutor(undefined);
  return {
    sandbox,
    journal: openMemoryJournal(Date.now),
    scheduler: new Scheduler(capacityOf(run.jobs)),
    executor: new ContainerExecutor({ inner, engineOf, log: run.log }),
    containers,
    files: createDiskFiles({ sync: false, near: run.scratch }),
    downloads: new DownloadStore(run.downloads ?? join(run.scratch, "downloads"), run.downloadSettings),
    script: sandbox,
    uris: new PortableUris({}),
    runsFolder: run.scratch,
    sync: false,
    graceMs: 2000,
    retryDelaysMs: RETRY_DELAYS_MS,
    log: run.log,
  };
}

/** Images that are files are kept from one run to the next. */
function imagesFolder(): string {
  return join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "weft", "images");
}

async function execute(run: IdentifiedRun, services: RunServices): Promise<DocumentResult> {
  const { process } = run;
  const { refusal, warnings } = await services.containers.review(containerWishes(process, run.overrides));
  if (refusal !== undefined) return { kind: "refused", message: refusal, hint: WITHOUT_CONTAINER, problems: [] };
  for (const warning of warnings) run.warn?.(warning);
  const requirements = effectiveRequirements([process], run.overrides);
  const evaluator = createEvaluator({ script: services.script, requirements, cwlVersion: process.cwlVersion });
  const values = run.inputs;
  const binding = { process, values, evaluator, requirements, ...run.formats };
  const isLocal = remoteInputs(values, process).length === 0;
  const { inputs, problems } = await inspectInputs({ ...binding, files: assumeRemote(services.files) });
  // An expression may have failed only because it saw a file that is not here yet.
  const isWrong = problems.some(({ severity, code }) => severity === "error" && (isLocal || code !== "expression"));
  if (isWrong) return { kind: "wrong-inputs", problems };
  await mkdir(join(services.runsFolder, run.runId), { recursive: true });
  const stop = services.journal.subscribe((events) =>
    run.onEvents(events, () => services.journal.read.firstFailedJob(run.runId)),
  );
  await services.journal.append([createdEvent(run, inputs)]);
  const registry = new RunRegistry(services, undefined);
  const driver = registry.start({
    runId: run.runId,
    process,
    formats: run.formats,
    values,
    bind: async (files) => (isLocal ? inputs : bindInputs({ ...binding, files })),
    options: {},
    samples: {},
    overrides: run.overrides,
    outputsFolder: run.outdir,
    recorded: () => undefined,
  });
  run.signal.addEventListener("abort", () => driver.abort(), { once: true });
  await driver.ended;
  stop();
  return resultOf(run.runId, services, problems);
}

function resultOf(runId: string, { journal, uris }: RunServices, problems: readonly InputProblem[]): DocumentResult {
  const row = journal.read.run(runId);
  if (row === undefined) throw new Error("the run left no record");
  const outputs = row.outputs === null ? undefined : restoreValues(journal.read.blob(row.outputs), uris);
  return { kind: "ended", state: row.state, reason: row.reason, outputs, problems };
}

function createdEvent({ process, runId }: IdentifiedRun, inputs: CwlObject) {
  const { blob } = recordValues(inputs, new PortableUris({}));
  return {
    type: "run.created" as const,
    run_id: runId,
    actor: "local",
    data: {
      kind: process.class === "Workflow" ? ("network" as const) : ("tool" as const),
      process_id: process.name,
      process_version: null,
      process_digest: "",
      name: process.label ?? process.name,
      tags: {},
      options: {},
      document: blob.digest,
      document_uri: process.id,
      inputs: blob.digest,
      samples: {},
      steps: listSteps(process),
    },
    blobs: [blob],
  };
}

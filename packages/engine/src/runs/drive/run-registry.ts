import { join } from "node:path";
import type { FormatKnowledge } from "@weft/cwl/document/format-knowledge.ts";
import { createEvaluator } from "@weft/cwl/expression/evaluate.ts";
import type { FileAccess } from "@weft/cwl/files/file-access.ts";
import { acceptsList } from "@weft/cwl/model/cwl-type.ts";
import { effectiveRequirements } from "@weft/cwl/model/effective-requirements.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { Requirement } from "@weft/cwl/model/requirement.ts";
import { NetworkProgress } from "@weft/cwl/workflow/network-progress.ts";
import type { Call } from "@weft/cwl/workflow/advance.ts";
import type { JobTool } from "@weft/shared/records/job-record.ts";
import type { RunOptions } from "@weft/shared/records/run-record.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { PinnedFile } from "@weft/shared/events/run-events.ts";
import type { JobRow } from "../../journal/rows.ts";
import { giveWay } from "../../async/give-way.ts";
import type { Capacity } from "../../schedule/machine-capacity.ts";
import type { OriginalRun } from "../begin/original-run.ts";
import { RunFetch } from "./run-fetch.ts";
import { RunDriver } from "./run-driver.ts";
import type { RunPlan, RunProgress } from "./run-plan.ts";
import type { RunServices } from "./run-services.ts";
import { onlySample } from "../../sink/check-sinks.ts";
import type { SampleNames, Sinks } from "../../sink/check-sinks.ts";
import { ToolProgress } from "./tool-progress.ts";

export interface StartableRun {
  readonly runId: string;
  readonly process: Process;
  readonly place: RunPlan["place"];
  readonly formats: FormatKnowledge;
  /** As given, with absolute locations. */
  readonly values: CwlObject;
  /** Called when what comes from elsewhere is here: answers the bound inputs, or rejects with CwlFailure. */
  readonly bind: (files: FileAccess) => Promise<CwlObject>;
  /** Of a run that an earlier server began: the files from elsewhere that it was given. */
  readonly pinned?: readonly PinnedFile[];
  readonly options: RunOptions;
  readonly samples: Readonly<Record<string, readonly string[]>>;
  readonly sinks: Sinks;
  readonly recorded: (callId: string) => JobRow | undefined;
  /** The run that this one reproduces. */
  readonly original?: OriginalRun;
  /** Number of the last job that the log knows; absent: it knows none. */
  readonly jobsRecorded?: number;
  /** `cwl:requirements` of an input object. */
  readonly overrides?: readonly Requirement[];
  /** Absolute path; absent: `outputs` in the folder of the run. */
  readonly outputsFolder?: string;
}

const LEAST_OPEN_CALLS = 512;

/** The runs that are going on in this process, by id. */
export class RunRegistry {
  readonly #services: RunServices;
  readonly #catalog: Catalog | undefined;
  readonly #onEnded: (runId: string) => void;
  readonly #drivers = new Map<string, RunDriver>();

  /** `onEnded` is told when nothing of a run goes on here any more, be it over or left to the next server. */
  constructor(services: RunServices, catalog: Catalog | undefined, onEnded: (runId: string) => void = () => {}) {
    this.#services = services;
    this.#catalog = catalog;
    this.#onEnded = onEnded;
  }

  start(run: StartableRun): RunDriver {
    const stop = new AbortController();
    const { runId, pinned = [], options } = run;
    const { scheduler } = this.#services;
    scheduler.enter(runId, { priority: options.priority, maxParallel: options.max_parallel_jobs });
    const { reach, files } = this.#services.access.ofRun(runId, run.values);
    const fetch = new RunFetch({ runId, services: { ...this.#services, files }, signal: stop.signal, pinned });
    const services = { ...this.#services, reach, files: fetch.files };
    const driver = new RunDriver(
      {
        runId,
        progress: createProgress(run, services),
        prepare: () => prepareInputs(run, fetch),
        fetch,
        stop,
        formats: run.formats,
        policy: options.on_failure ?? "finish_running",
        retries: options.retries,
        cache: options.cache ?? "use",
        place: run.place,
        memoryPolicy: options.on_out_of_memory,
        describeTool: (call) => run.original?.toolOf(call) ?? describeTool(call, this.#catalog),
        pinnedImage: (call) => run.original?.imageOf(call),
        outputsFolder: run.outputsFolder ?? join(this.#services.runsFolder, run.runId, "outputs"),
        sinks: run.sinks,
        samples: run.samples,
        recorded: run.recorded,
        jobsRecorded: run.jobsRecorded ?? 0,
      },
      services,
    );
    this.#drivers.set(runId, driver);
    void driver.ended.finally(() => {
      this.#drivers.delete(runId);
      scheduler.leave(runId);
      if (!driver.isReleased) this.#services.secrets.forget(runId);
      this.#onEnded(runId);
    });
    return driver;
  }

  get(runId: string): RunDriver | undefined {
    return this.#drivers.get(runId);
  }

  get open(): readonly RunDriver[] {
    return [...this.#drivers.values()];
  }

  release(): void {
    for (const driver of this.#drivers.values()) driver.release();
  }

  get openIds(): readonly string[] {
    return [...this.#drivers.keys()];
  }
}

async function prepareInputs({ values, process, bind }: StartableRun, fetch: RunFetch): Promise<CwlObject> {
  await fetch.bring(values, process);
  const inputs = await bind(fetch.files);
  await fetch.record();
  return inputs;
}

export function createProgress(
  run: Pick<StartableRun, "process" | "samples" | "overrides">,
  services: Pick<RunServices, "script" | "files" | "limits" | "scheduler">,
): RunProgress {
  const process = withRequirements(run.process, run.overrides ?? []);
  const sampleId = sampleOfRun(process, run.samples);
  if (process.class !== "Workflow") return new ToolProgress(process, effectiveRequirements([process]), sampleId);
  return new NetworkProgress({
    workflow: process,
    requirements: effectiveRequirements([]),
    evaluatorFor: (effective, cwlVersion) =>
      createEvaluator({ script: services.script, requirements: effective, cwlVersion, limits: services.limits }),
    files: services.files,
    limits: services.limits,
    openCalls: openCalls(services.scheduler.capacity),
    giveWay,
    sampleNames: new Map(Object.entries(run.samples)),
    sampleId,
  });
}

/** Enough for the scheduler to choose from, however many jobs the machine and its backends run at once. */
function openCalls({ slots, remote = 0 }: Capacity): number {
  return Math.max(LEAST_OPEN_CALLS, 2 * (slots + remote));
}

/** Of a run whose single values are all of one sample. */
function sampleOfRun({ inputs }: Process, samples: SampleNames): string | undefined {
  const single = inputs.filter(({ id, type }) => Object.hasOwn(samples, id) && !acceptsList(type));
  return onlySample(Object.fromEntries(single.map(({ id }) => [id, samples[id] ?? []])));
}

/** Requirements of an input object count like the process's own, and win. */
function withRequirements(process: Process, overrides: readonly Requirement[]): Process {
  return overrides.length === 0 ? process : { ...process, requirements: [...process.requirements, ...overrides] };
}

export function describeTool(call: Call, catalog: Catalog | undefined): JobTool {
  const place = catalog?.publisher(call.process)?.place;
  const { label } = call.process;
  return {
    id: place?.kind === "tool" ? place.id : null,
    version: place?.kind === "tool" ? place.version : null,
    class: call.process.class,
    ...(label === undefined ? {} : { label }),
  };
}

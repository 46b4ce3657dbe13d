import { onDisk } from "../../files/remote/on-disk.ts";
import type { Call } from "@weft/cwl/workflow/advance.ts";
import { decideReuse, removedMeanwhile, incomparable, reuseIsOff } from "./decide-reuse.ts";
import type { ReuseFound } from "./decide-reuse.ts";
import { FileContents } from "./file-contents.ts";
import { keepResult } from "./keep-result.ts";
import type { ReuseServices } from "./reuse-outputs.ts";
import { reuseOutputs } from "./reuse-outputs.ts";
import type { ContainerServices } from "../container/choose-container.ts";
import { chooseContainer } from "../container/choose-container.ts";
import { recordChoice } from "../container/contain-job.ts";
import { undefinedIfMissing } from "../../files/undefined-if-missing.ts";
import type { ImageServices } from "../container/fetch-image.ts";
import { fetchImage } from "../container/fetch-image.ts";
import type { JobEnd } from "../job-events.ts";
import type { Job, JobReuse } from "../job.ts";
import type { ReusedResult } from "./reuse-job.ts";
import type { CacheOfRow, JobRow } from "../../journal/rows.ts";
import { Gate } from "../../async/gate.ts";
import type { FileAccess } from "@weft/cwl/files/file-access.ts";
import type { ReusableResult } from "@weft/shared/events/job-events.ts";
import type { JobTool } from "@weft/shared/records/job-record.ts";
import type { CacheMode } from "@weft/shared/records/run-record.ts";
import type { Reach } from "../../files/beneath/reach.ts";
import type { Log } from "../../log.ts";
import type { JobPosition } from "../../journal/read-cache.ts";

/** Concurrent lookups: enough to keep a disk busy without opening too many files. */
const AT_ONCE = 8;

/** A job after its comparison with earlier ones: with a result to reuse, or to run. */
export interface ComparedJob {
  readonly job: Job;
  readonly taken: ReusedResult | undefined;
}

/** The run whose jobs are compared with earlier ones. */
export interface RunToCompare {
  readonly runId: string;
  readonly options: { readonly cache?: CacheMode | undefined };
  readonly place: Pick<JobPosition, "kind" | "processId">;
}

/** A call, and the name of its tool in records. */
export interface CalledTool {
  readonly call: Call;
  readonly tool: JobTool;
}

export interface ReuseLookup extends ReuseServices, ContainerServices, ImageServices {
  readonly files: FileAccess;
  readonly reach: Reach;
  readonly sharesResults: boolean;
  readonly log: Log;
}

/** Finds reusable results for the jobs of a run, and keeps its own for later ones. */
export class EarlierResults {
  readonly #run: RunToCompare;
  readonly #signal: AbortSignal;
  readonly #services: ReuseLookup;
  readonly #mode: CacheMode;
  readonly #owner: string | undefined;
  readonly #contents: FileContents;
  /** Contents of other runs' results, which the run itself may not read. */
  readonly #earlier: FileContents;
  readonly #gate = new Gate(AT_ONCE);

  /** `signal` is aborted when the run stops. */
  constructor(run: RunToCompare, signal: AbortSignal, services: ReuseLookup) {
    this.#run = run;
    this.#signal = signal;
    this.#mode = run.options.cache ?? "use";
    this.#services = services;
    this.#owner = services.sharesResults ? undefined : services.journal.read.run(run.runId)?.owner;
    const { files, reach, access, runsFolder } = services;
    this.#contents = new FileContents({ files, reach, runsFolder });
    this.#earlier = new FileContents({ files: onDisk(files, access.all.files), reach: access.all.reach, runsFolder });
  }

  /** What is known about a job without a lookup; undefined: it needs one. */
  known(job: Job, startedBefore: Pick<JobRow, "cache"> | undefined): JobReuse | undefined {
    return startedBefore === undefined ? reuseIsOff(job, this.#mode) : reattachedReuse(startedBefore.cache);
  }

  /** Never fails a job: a job that cannot be compared runs. */
  async look({ call, tool }: CalledTool, job: Job): Promise<ComparedJob> {
    return this.#gate.pass(async () => {
      try {
        const found = await this.#decide({ call, tool }, job);
        const isLeft = this.#signal.aborted;
        return found.earlier === undefined || isLeft ? ranAnew(job, found.reuse) : await this.#take(job, found);
      } catch (error) {
        this.#services.log("warn", "a job could not be compared with earlier ones", {
          run_id: job.runId,
          job_id: job.jobId,
          error: String(error),
        });
        return ranAnew(job, incomparable(error));
      }
    });
  }

  /** What to record so that later jobs can reuse the result, or why they cannot. Undefined: do not keep it. */
  async keep(job: Job, { outcome, made }: JobEnd): Promise<ReusableResult | string | undefined> {
    if (outcome.status !== "success" || made === undefined) return undefined;
    return keepResult(job, { outputs: outcome.outputs, ...made }, this.#contents);
  }

  #decide({ call, tool }: CalledTool, job: Job): Promise<ReuseFound> {
    const services = this.#services;
    return decideReuse(job, {
      mode: this.#mode,
      place: { ...this.#run.place, scatterIndex: call.scatterIndex },
      tool,
      owner: this.#owner,
      contents: this.#contents,
      earlierContents: this.#earlier,
      container: async () => {
        const choice = await chooseContainer(job, services);
        if (choice?.engine === undefined) return recordChoice(choice, undefined);
        return recordChoice(choice, await fetchImage(job, choice, { services, signal: this.#signal }));
      },
      services,
    });
  }

  async #take(job: Job, { reuse, earlier }: ReuseFound): Promise<ComparedJob> {
    if (earlier === undefined) return ranAnew(job, reuse);
    const outputs = await reuseOutputs(earlier.row, job.folder, this.#services).catch(undefinedIfMissing);
    if (outputs === undefined) return ranAnew(job, removedMeanwhile(reuse));
    return { job: { ...job, reuse }, taken: { earlier, outputs } };
  }
}

function ranAnew(job: Job, reuse: JobReuse): ComparedJob {
  return { job: { ...job, reuse }, taken: undefined };
}

/** An earlier server did the lookup and started the job, so its end is judged by the state at that time. */
function reattachedReuse(cache: CacheOfRow | null): JobReuse {
  const { key, parts } = cache ?? {};
  const record = cache ?? { decision: "off" as const, reason: "no lookup was made", diff: [] };
  if (key === undefined || parts === undefined) return { record };
  return { record, key: { key, parts, checksums: new Map() } };
}

import type { StagingEntry } from "@weft/cwl/model/job-plan.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { ReusableResult } from "@weft/shared/events/job-events.ts";
import type { CacheMode } from "@weft/shared/records/run-record.ts";
import { Gate } from "../async/gate.ts";
import { errorText } from "../error-text.ts";
import { undefinedIfMissing } from "../files/beneath/undefined-if-missing.ts";
import type { JobPosition } from "../journal/read-cache.ts";
import type { CacheOfRow } from "../journal/rows.ts";
import { filesOf, isFileOrDirectory } from "../values/map-files.ts";
import {
  decideReuse,
  incomparable,
  openLookup,
  removedMeanwhile,
  reuseIsOff,
  type CalledTool,
  type Lookup,
  type ReuseFound,
} from "./decide-reuse.ts";
import { differenceText, explainMiss } from "./cache/explain-miss.ts";
import type { FileContents } from "./cache/file-contents.ts";
import { containerPart, jobKey, withChecksums, type JobKey } from "./cache/job-key.ts";
import { reuseOutputs } from "./cache/reuse-outputs.ts";
import { valueDigests } from "./cache/value-digest.ts";
import { fetchImage } from "./job-container.ts";
import type { JobServices } from "./job-services.ts";
import type { Begun, BegunJob, BoundJob, ComparedJob, JobEnd, JobReuse, NewJob, ReusedJob } from "./job.ts";

/** Concurrent lookups: enough to keep a disk busy without opening too many files. */
const AT_ONCE = 8;

/** The run whose jobs are compared with earlier ones. */
export interface RunToCompare {
  readonly runId: string;
  readonly options: { readonly cache?: CacheMode | undefined };
  readonly place: Pick<JobPosition, "kind" | "processId">;
}

/** An earlier server did the lookup and started the job, so its end is judged by the state at that time. */
export function begunJob(job: BoundJob, begun: Begun, cache: CacheOfRow | null): BegunJob {
  const { key, parts } = cache ?? {};
  const record = cache ?? { decision: "off" as const, reason: "no lookup was made", diff: [] };
  const isKnown = key !== undefined && parts !== undefined;
  const reuse = isKnown ? { record, key: { key, parts, checksums: new Map() } } : { record };
  return { ...job, kind: "begun", begun, reuse };
}

/** Finds reusable results for the jobs of a run, and keeps its own for later ones. */
export class EarlierResults {
  readonly #signal: AbortSignal;
  readonly #services: JobServices;
  readonly #lookup: Lookup;
  readonly #gate = new Gate(AT_ONCE);

  /** `signal` is aborted when the run stops. */
  constructor({ runId, options, place }: RunToCompare, signal: AbortSignal, services: JobServices) {
    this.#signal = signal;
    this.#services = services;
    this.#lookup = openLookup({
      mode: options.cache ?? "use",
      place,
      owner: services.sharesResults ? undefined : services.journal.read.run(runId)?.owner,
      imageOf: (job, choice) => fetchImage(job, choice, { services, signal }),
      services,
    });
  }

  /** The cache's answer without a lookup; undefined: the job needs one. */
  known(job: BoundJob): NewJob | undefined {
    const reuse = reuseIsOff(job, this.#lookup.mode);
    return reuse === undefined ? undefined : newJob(job, reuse);
  }

  /** Looks for a reusable result. Never fails the job: a job that cannot be compared runs. */
  async look(called: CalledTool, job: BoundJob): Promise<NewJob | ReusedJob> {
    return this.#gate.pass(async () => {
      try {
        const found = await decideReuse(job, called, this.#lookup);
        return this.#signal.aborted ? newJob(job, found.reuse) : await this.#take(job, found);
      } catch (error) {
        this.#services.log("warn", "a job could not be compared with earlier ones", {
          run_id: job.runId,
          job_id: job.jobId,
          error: String(error),
        });
        return newJob(job, incomparable(error));
      }
    });
  }

  /**
   * The record with which later jobs can reuse the result of a job that has just ended, or a sentence that says why
   * they cannot: only if everything in its key is unchanged since the key was computed, perhaps hours ago. Undefined:
   * do not keep it.
   */
  async keep(job: ComparedJob, { outcome, made }: JobEnd): Promise<ReusableResult | string | undefined> {
    const key = job.reuse.key;
    if (outcome.status !== "success" || made === undefined || key === undefined) return undefined;
    const stranger = findStranger(job, made.staging);
    if (stranger !== undefined)
      return `its working directory contains ${stranger}, which an expression names by location`;
    try {
      const now = await jobKey(job, this.#lookup.contents, containerPart(made.container));
      if (now.key !== key.key) return `something changed in the meantime: ${changeOf(job, now, key)}`;
      return { key: key.key, outputs: await outputDigests(outcome.outputs, this.#lookup.contents) };
    } catch (error) {
      return `its inputs and outputs could not be read again: ${errorText(error)}`;
    }
  }

  async #take(job: BoundJob, { reuse, earlier }: ReuseFound): Promise<NewJob | ReusedJob> {
    if (earlier === undefined) return newJob(job, reuse);
    const outputs = await reuseOutputs(earlier.row, job.folder, this.#services).catch(undefinedIfMissing);
    if (outputs === undefined) return newJob(job, removedMeanwhile(reuse));
    return { ...job, kind: "reused", reuse, earlier, outputs };
  }
}

function newJob(job: BoundJob, reuse: JobReuse): NewJob {
  return { ...job, kind: "new", reuse };
}

/** Outputs were hashed moments ago, during collection. */
function outputDigests(outputs: CwlObject, contents: FileContents) {
  return valueDigests(outputs, {
    checksumOf: async ({ checksum, location }) => checksum ?? contents.checksum(location),
    folder: (uri) => contents.folder(uri),
  });
}

function changeOf({ inputs }: BoundJob, now: JobKey, before: JobKey): string {
  const tool = { id: null, version: null, class: "CommandLineTool" } as const;
  return differenceText(
    explainMiss(
      { parts: now.parts, tool, inputs: withChecksums(inputs, now.checksums) },
      { parts: before.parts, tool, inputs: withChecksums(inputs, before.checksums) },
    ),
  );
}

/**
 * A file in the working directory that the key does not cover: neither an input nor named literally by the document.
 */
function findStranger({ inputs, requirements }: BoundJob, staging: readonly StagingEntry[]): string | undefined {
  const named = requirements.get("InitialWorkDirRequirement")?.listing ?? [];
  const listed =
    typeof named === "string" ? [] : named.flatMap((entry) => (entry.kind === "value" ? [entry.value] : []));
  const known = filesOf({ ...inputs, "": listed.filter(isFileOrDirectory) }).flatMap(({ file }) => file.location ?? []);
  const places = new Set(known);
  for (const entry of staging) {
    if ((entry.kind !== "link" && entry.kind !== "copy") || places.has(entry.source)) continue;
    if (!known.some((uri) => entry.source.startsWith(uri.endsWith("/") ? uri : `${uri}/`))) return entry.source;
  }
  return undefined;
}

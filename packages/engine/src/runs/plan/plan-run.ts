import type { RunnableEntry } from "../../catalog/catalog-entry.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Plan } from "@weft/shared/records/plan-record.ts";
import type { CacheMode } from "@weft/shared/records/run-record.ts";
import { entryUrl } from "../../catalog/present-entry.ts";
import type { Caller } from "../../port/caller.ts";
import { giveWay } from "../../async/give-way.ts";
import { assumeRemote } from "../../files/remote/assume-remote.ts";
import { portableValues } from "../../values/record-values.ts";
import { presentPortable } from "../../present/present-values.ts";
import { planProcess } from "./plan-process.ts";
import type { RequestContext, ResolvedRequest } from "../begin/resolve-request.ts";
import type { Call } from "@weft/cwl/workflow/advance.ts";
import type { RecordedCache } from "@weft/shared/events/job-events.ts";
import { visibleRunName } from "../../access/visible-runs.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { Image } from "../../container/container-engine.ts";
import type { EngineChoice } from "../../container/containers.ts";
import { isRemote } from "../../files/remote/remote-url.ts";
import { earlierOutputs } from "../../jobs/cache/reuse-outputs.ts";
import { decideReuse, incomparable, openLookup, reuseIsOff, type Lookup } from "../../jobs/decide-reuse.ts";
import type { JobServices } from "../../jobs/job-services.ts";
import type { BoundJob } from "../../jobs/job.ts";
import { presentReuse } from "../../present/present-job.ts";
import { describeTool } from "../drive/run-context.ts";
import type { PredictedCache } from "./plan-ahead.ts";

export interface PlannedRun {
  readonly request: ResolvedRequest;
  readonly cache: CacheMode;
}

/** The plan of a requested run. Refuses `invalid-inputs` if a job could not start. */
export async function planRun(caller: Caller, { request, cache }: PlannedRun, services: RequestContext): Promise<Plan> {
  const { entry, bound, samples } = request;
  const { process, formats } = entry;
  const { links } = caller;
  const { reach, files } = services.access.ofCaller(caller);
  const seen = { ...services, reach, files: assumeRemote(files) };
  const predictor = new CachePredictor({ mode: cache, entry, catalog: services.catalog, caller }, seen);
  const plan = await planProcess({ process, formats, bound, samples }, { ...services, reach, files }, (call, job) =>
    predictor.of(call, job),
  );
  if ("failure" in plan)
    throw new Refusal("invalid-inputs", plan.failure, {
      errors: [{ code: "no-plan", detail: plan.failure, ...(plan.hint === undefined ? {} : { hint: plan.hint }) }],
    });
  await giveWay();
  const { id, version, kind } = entry.place;
  const { label } = process;
  const inputs = portableValues(bound, services.uris);
  await giveWay();
  return {
    [kind]: {
      id,
      version,
      digest: entry.digest,
      url: entryUrl(entry, links),
      ...(label === undefined ? {} : { label }),
    },
    inputs: presentPortable(inputs, links),
    ...plan,
  };
}

/** A plan reads at most this much from disk, so that its reader does not wait. */
const READ_BYTES = 1024 ** 3;
/** A plan opens at most this many files; each takes several system calls. */
const OPENED_FILES = 2000;

/** The reason why a plan cannot predict the cache decision. */
class Unpredictable extends Error {}

interface CachePredictorOptions {
  readonly mode: CacheMode;
  readonly entry: RunnableEntry;
  readonly catalog: Catalog;
  readonly caller: Caller;
}

/** Predicts cache decisions for a planned run as far as possible without downloading anything. */
class CachePredictor {
  readonly #options: CachePredictorOptions;
  readonly #services: JobServices;
  readonly #lookup: Lookup;
  #unread = READ_BYTES;
  #unopened = OPENED_FILES;

  constructor(options: CachePredictorOptions, services: JobServices) {
    this.#options = options;
    this.#services = services;
    const { mode, entry, caller } = options;
    this.#lookup = openLookup({
      mode,
      place: { kind: entry.place.kind, processId: entry.place.id },
      owner: services.sharesResults ? undefined : caller.principal,
      bounds: { mayOpen: (uri) => this.#mayOpen(uri), mayRead: (sizeBytes) => this.#mayRead(sizeBytes) },
      imageOf: (_job, choice) => this.#imageOf(choice),
      services,
    });
  }

  async of(call: Call, job: BoundJob): Promise<PredictedCache> {
    const { mode, caller, catalog } = this.#options;
    const { read } = this.#services.journal;
    const present = (record: RecordedCache) =>
      presentReuse(record, caller.links, (runId) => visibleRunName(read, runId, caller));
    try {
      const off = reuseIsOff(job, mode);
      if (off !== undefined) return { cache: present(off.record), outputs: undefined };
      const { reuse, earlier } = await decideReuse(job, { call, tool: describeTool(call, catalog) }, this.#lookup);
      const outputs = earlier === undefined ? undefined : earlierOutputs(earlier.row, this.#services);
      return { cache: present(reuse.record), outputs };
    } catch (error) {
      if (error instanceof Unpredictable)
        return { cache: { decision: "unknown", reason: error.message, diff: [] }, outputs: undefined };
      return { cache: present(incomparable(error).record), outputs: undefined };
    }
  }

  async #imageOf(choice: EngineChoice): Promise<Image> {
    const image = await this.#services.containers.find(choice);
    if (image !== undefined) return image;
    throw new Unpredictable(`the image ${choice.image} is not on this machine yet, so it cannot be compared`);
  }

  #mayOpen(uri: string): void {
    if (isRemote(uri)) throw new Unpredictable("an input is remote, so its content is not known yet");
    this.#unopened -= 1;
    if (this.#unopened < 0)
      throw new Unpredictable(`a plan compares at most ${OPENED_FILES} files; the run will decide`);
  }

  #mayRead(sizeBytes: number): void {
    this.#unread -= sizeBytes;
    if (this.#unread < 0) throw new Unpredictable("a plan reads at most 1 GiB to compare files; the run will decide");
  }
}

import type { Call } from "@weft/cwl/workflow/advance.ts";
import type { JobContainer } from "@weft/shared/records/job-container.ts";
import type { RecordedCache } from "@weft/shared/events/job-events.ts";
import type { CacheMode } from "@weft/shared/records/run-record.ts";
import { decideReuse, incomparable, reuseIsOff } from "../../jobs/cache/decide-reuse.ts";
import { onDisk } from "../../files/remote/on-disk.ts";
import type { ReuseFound } from "../../jobs/cache/decide-reuse.ts";
import { earlierOutputs } from "../../jobs/cache/decide-reuse.ts";
import { FileContents } from "../../jobs/cache/file-contents.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { chooseContainer } from "../../jobs/job-container.ts";
import { recordChoice } from "../../jobs/job-container.ts";
import { isRemote } from "../../files/remote/remote-url.ts";
import type { Caller } from "../../port/engine.ts";
import type { BoundJob } from "../../jobs/job.ts";
import { presentReuse } from "../../present/present-job.ts";
import type { RunnableEntry } from "../begin/resolve-request.ts";
import type { ForeseenCache } from "./plan-ahead.ts";
import { describeTool } from "../drive/describe-tool.ts";
import type { DiskAccess } from "../../access/disk-access.ts";
import { visibleRunName } from "../../access/visible-runs.ts";
import type { Reach } from "../../files/beneath/reach.ts";
import type { ContainerServices } from "../../jobs/job-services.ts";
import type { RunLog } from "../../journal/run-log.ts";
import type { FileAccess } from "@weft/cwl/files/file-access.ts";

/** A plan reads at most this much from disk, so that its reader does not wait. */
const READ_BYTES = 1024 ** 3;
/** A plan opens at most this many files; each takes several system calls. */
const OPENED_FILES = 2000;

/** Why a plan cannot predict the cache decision. */
class NotLookedAt extends Error {}

export interface ForesightOptions {
  readonly mode: CacheMode;
  readonly entry: RunnableEntry;
  readonly catalog: Catalog;
  readonly caller: Caller;
}

/** Services for lookups of earlier results; they change nothing. */
export interface ForesightServices extends RunLog, ContainerServices {
  /** What the caller may read. */
  readonly reach: Reach;
  readonly files: FileAccess;
  readonly access: DiskAccess;
  readonly runsFolder: string;
  readonly sharesResults: boolean;
}

/** Predicts cache decisions for a planned run as far as possible without downloading anything. */
export class CacheForesight {
  readonly #options: ForesightOptions;
  readonly #services: ForesightServices;
  readonly #contents: FileContents;
  /** Contents of other runs' results, which the caller may not read. */
  readonly #earlier: FileContents;
  #unread = READ_BYTES;
  #unopened = OPENED_FILES;

  constructor(options: ForesightOptions, services: ForesightServices) {
    this.#options = options;
    this.#services = services;
    const { files, reach, access, runsFolder } = services;
    const bounds = {
      mayOpen: (uri: string) => this.#mayOpen(uri),
      mayRead: (sizeBytes: number) => this.#mayRead(sizeBytes),
    };
    this.#contents = new FileContents({ files, reach, runsFolder, ...bounds });
    const { all } = access;
    this.#earlier = new FileContents({ files: onDisk(files, all.files), reach: all.reach, runsFolder, ...bounds });
  }

  async of(call: Call, job: BoundJob): Promise<ForeseenCache> {
    const { mode, caller } = this.#options;
    const { read } = this.#services.journal;
    const present = (record: RecordedCache) =>
      presentReuse(record, caller.links, (runId) => visibleRunName(read, runId, caller));
    try {
      const off = reuseIsOff(job, mode);
      if (off !== undefined) return { cache: present(off.record), outputs: undefined };
      const { reuse, earlier } = await this.#look(call, job);
      const outputs = earlier === undefined ? undefined : earlierOutputs(earlier.row, this.#services);
      return { cache: present(reuse.record), outputs };
    } catch (error) {
      if (error instanceof NotLookedAt)
        return { cache: { decision: "unknown", reason: error.message, diff: [] }, outputs: undefined };
      return { cache: present(incomparable(error).record), outputs: undefined };
    }
  }

  async #look(call: Call, job: BoundJob): Promise<ReuseFound> {
    const { mode, entry, catalog, caller } = this.#options;
    const { kind, id: processId } = entry.place;
    return decideReuse(job, {
      mode,
      place: { kind, processId, scatterIndex: call.scatterIndex },
      tool: describeTool(call, catalog),
      owner: this.#services.sharesResults ? undefined : caller.principal,
      contents: this.#contents,
      earlierContents: this.#earlier,
      container: () => this.#container(job),
      services: this.#services,
    });
  }

  async #container(job: BoundJob): Promise<JobContainer | undefined> {
    const choice = await chooseContainer(job, this.#services);
    if (choice?.engine === undefined) return recordChoice(choice, undefined);
    const image = await this.#services.containers.find(choice);
    if (image !== undefined) return recordChoice(choice, image);
    throw new NotLookedAt(`the image ${choice.image} is not on this machine yet, so it cannot be compared`);
  }

  #mayOpen(uri: string): void {
    if (isRemote(uri)) throw new NotLookedAt("an input is remote, so its content is not known yet");
    this.#unopened -= 1;
    if (this.#unopened < 0) throw new NotLookedAt(`a plan compares at most ${OPENED_FILES} files; the run will decide`);
  }

  #mayRead(sizeBytes: number): void {
    this.#unread -= sizeBytes;
    if (this.#unread < 0) throw new NotLookedAt("a plan reads at most 1 GiB to compare files; the run will decide");
  }
}

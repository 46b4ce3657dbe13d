import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import type { CwlObject, FileValue } from "@weft/cwl/model/cwl-value.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import type { ContentDigest } from "../../files/content-digest.ts";
import { fetchFailure, type Fetched } from "../../files/remote/download-store.ts";
import { statusProblem } from "../../files/remote/fetch-problem.ts";
import { isHttp, isRemote, redactUrl, shownUrl } from "../../files/remote/remote-url.ts";
import { RunFiles } from "../../files/remote/run-files.ts";
import { identify } from "../../jobs/job-events.ts";
import type { JobIdentity } from "../../jobs/job.ts";
import type { FetchProgress } from "@weft/shared/events/event-parts.ts";
import type { NewEvent } from "../../journal/journal-event.ts";
import type { PinnedFile } from "@weft/shared/events/run-events.ts";
import { filesOf } from "../../values/map-files.ts";
import type { RunServices } from "./run-services.ts";

const AT_ONCE = 4;
const REPORT_EVERY_MS = 5000;

export interface RunFetchOptions {
  readonly runId: string;
  readonly services: RunServices;
  /** Aborted when the run stops. */
  readonly signal: AbortSignal;
  /** Files that an earlier server fetched for the run, by the log. */
  readonly pinned: readonly PinnedFile[];
}

/** One call of `fetch`. */
interface FetchCall {
  /** The job that waits; undefined if the run itself waits. */
  readonly job: JobIdentity | undefined;
  done: number;
  readonly total: number;
  reportedMs: number;
}

/**
 * Fetches the remote files of one run. Records the progress, and afterwards exactly what the run received, so that a
 * resumed run continues with the same bytes.
 */
export class RunFetch {
  readonly files: RunFiles;
  readonly #options: RunFetchOptions;
  /** Files being fetched and who waits for them, by URL. */
  readonly #fetchCalls = new Map<string, FetchCall>();
  readonly #unrecorded: PinnedFile[] = [];
  readonly #end = new AbortController();

  constructor(options: RunFetchOptions) {
    this.#options = options;
    const { services, signal, pinned } = options;
    this.files = new RunFiles({
      disk: services.files,
      store: services.downloads,
      signal: AbortSignal.any([signal, this.#end.signal]),
      pinned: new Map(pinned.map(({ url, ...content }) => [url, toDigest(content)])),
      onBytes: (location, received, total) => this.#report(location, received, total),
      onFetched: (location, content) => this.#keep(location, content),
    });
  }

  /** True if a job, or the run itself, must wait for remote files. */
  isNeeded(values: CwlObject, process: Pick<Process, "inputs">): boolean {
    return remoteInputs(values, process).some(
      ({ location, checksum }) => !this.files.has(location) || checksum !== undefined,
    );
  }

  /**
   * Rejects with CwlFailure STAGE_IN for the first file that cannot be fetched or differs from what the input declares.
   */
  async fetch(values: CwlObject, process: Pick<Process, "inputs">, job?: JobIdentity): Promise<void> {
    const remote = remoteInputs(values, process);
    if (remote.length === 0) return;
    const errand: FetchCall = { job, done: 0, total: remote.length, reportedMs: -Infinity };
    const waiting = [...remote];
    const fetchNext = async (): Promise<void> => {
      for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
        check(file, await this.#fetchOne(file.location, errand));
        errand.done += 1;
        await this.record();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, fetchNext)).finally(() => (waiting.length = 0));
  }

  #fetchOne(location: string, errand: FetchCall): Promise<Fetched | undefined> {
    if (isHttp(location) && !this.files.has(location) && !this.#fetchCalls.has(location)) {
      this.#fetchCalls.set(location, errand);
      this.#report(location, 0, undefined);
    }
    return this.files.fetch(location).finally(() => this.#fetchCalls.delete(location));
  }

  /** Cancels fetches in progress: the next server starts them again. */
  close(): void {
    this.#end.abort();
  }

  /** Records the files that were fetched since the last call. */
  async record(): Promise<void> {
    const files = this.#unrecorded.splice(0);
    const { runId, services } = this.#options;
    if (files.length > 0)
      await services.journal.append([{ type: "run.fetched", run_id: runId, actor: "engine", data: { files } }]);
  }

  #keep(location: string, { sha1, sha256, sizeBytes }: ContentDigest): void {
    // The content of a data URL can be read from it again.
    if (!isHttp(location)) return;
    this.#unrecorded.push({ url: redactUrl(location), checksum: sha1, sha256, size: sizeBytes });
    // No call of `fetch` records this file, such as a secondary file found next to another.
    if (!this.#fetchCalls.has(location)) this.#recordInBackground(this.record());
  }

  #report(location: string, received: number, total: number | undefined): void {
    const errand = this.#fetchCalls.get(location);
    const nowMs = performance.now();
    if (errand === undefined || nowMs - errand.reportedMs < REPORT_EVERY_MS) return;
    errand.reportedMs = nowMs;
    const { runId, services } = this.#options;
    const data = progressOf(location, { received, total, errand });
    const event: NewEvent =
      errand.job === undefined
        ? { type: "run.fetching", run_id: runId, actor: "engine", data }
        : { type: "job.fetching", ...identify(errand.job), data };
    this.#recordInBackground(services.journal.append([event]));
  }

  #recordInBackground(recording: Promise<unknown>): void {
    const { runId, services } = this.#options;
    recording.catch((error: unknown) =>
      services.log("warn", "a fact about a download was not recorded", { run_id: runId, error: String(error) }),
    );
  }
}

export type RemoteFile = FileValue & { readonly location: string };

/**
 * The remote Files that a process would read with these values: those in the values, and those in defaults that apply.
 */
export function remoteInputs(values: CwlObject, { inputs }: Pick<Process, "inputs">): readonly RemoteFile[] {
  const effective = inputs.map(({ id, default: value }) => [
    id,
    (Object.hasOwn(values, id) ? values[id] : null) ?? value ?? null,
  ]);
  return filesOf(Object.fromEntries(effective) as CwlObject).flatMap(({ file }) => (isRemoteFile(file) ? [file] : []));
}

function isRemoteFile(file: { readonly class: string; readonly location?: string }): file is RemoteFile {
  return file.class === "File" && file.location !== undefined && isRemote(file.location);
}

function toDigest({ checksum, sha256, size }: Omit<PinnedFile, "url">): ContentDigest {
  return { sha1: checksum, sha256, sizeBytes: size };
}

function check({ location, checksum }: RemoteFile, fetched: Fetched | undefined): void {
  if (fetched === undefined) throw fetchFailure(location, statusProblem(404, "Not Found"));
  if (checksum === undefined || !checksum.startsWith("sha1$") || checksum === fetched.sha1) return;
  throw new CwlFailure(
    "STAGE_IN",
    `${shownUrl(location)} is not the expected file: its checksum is ${fetched.sha1}, not ${checksum}`,
    { hint: "it has changed since, or the checksum belongs to another file" },
  );
}

interface FetchState {
  readonly received: number;
  readonly total: number | undefined;
  readonly errand: FetchCall;
}

function progressOf(location: string, { received, total, errand }: FetchState): FetchProgress {
  const size = total === undefined ? bytesText(received) : `${bytesText(received)} of ${bytesText(total)}`;
  const facts = [
    ...(received === 0 && total === undefined ? [] : [size]),
    ...(errand.total > 1 ? [`${errand.done} of ${errand.total} files fetched`] : []),
  ];
  const standing = facts.length === 0 ? "" : ` (${facts.join("; ")})`;
  return {
    url: shownUrl(location),
    bytes: received,
    bytes_total: total ?? null,
    files_done: errand.done,
    files_total: errand.total,
    reason: { code: "STAGE_IN", message: `Fetching ${shownUrl(location)}${standing}` },
  };
}

function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const units = ["KiB", "MiB", "GiB", "TiB"];
  const power = Math.min(units.length, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** power).toFixed(1)} ${units[power - 1]}`;
}

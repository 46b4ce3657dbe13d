import type { ScriptEngine } from "@weft/cwl/expression/script-engine.ts";
import type { FileAccess } from "@weft/cwl/files/file-access.ts";
import type { BackendPolicy } from "../../executor/choose-backend.ts";
import type { Containers } from "../../container/containers.ts";
import type { Executor } from "../../executor/executor.ts";
import type { Reach } from "../../files/beneath/reach.ts";
import type { DiskAccess } from "../../access/disk-access.ts";
import type { DownloadStore } from "../../files/remote/download-store.ts";
import type { PortableUris } from "../../files/portable-uri.ts";
import type { Journal } from "../../journal/journal.ts";
import type { PlacedOutputs } from "../../sink/place-run.ts";
import type { SinkFolders } from "../../sink/sink-folders.ts";
import type { Scheduler } from "../../schedule/scheduler.ts";
import type { JobSandbox } from "../../sandbox/job-sandbox.ts";
import type { SecretStore } from "../../secrets/secret-store.ts";
import type { Limits } from "@weft/shared/limits.ts";
import type { Log } from "../../log.ts";

/** Everything that a run acts through. Only the places that build it hold all of it; other modules declare the part that they need. */
export interface RunServices {
  /** The version of Weft. */
  readonly version: string;
  readonly journal: Journal;
  readonly scheduler: Scheduler;
  readonly executor: Executor;
  /** The backend for each job. */
  readonly backends: BackendPolicy;
  readonly containers: Containers;
  /** The sandbox for jobs without a container. */
  readonly jobSandbox: JobSandbox;
  readonly access: DiskAccess;
  /** The files that the run may read; outside of a run, those that every caller may read. */
  readonly reach: Reach;
  readonly files: FileAccess;
  /** Downloaded files; a run reads them through its own files (see run-fetch.ts). */
  readonly downloads: DownloadStore;
  readonly script: ScriptEngine;
  readonly secrets: SecretStore;
  readonly uris: PortableUris;
  /** Output destinations. */
  readonly sinks: SinkFolders;
  /** Absolute path of the folder that contains one folder per run. */
  readonly runsFolder: string;
  /** True: results are on disk (fsync) before the log says that they exist. */
  readonly sync: boolean;
  /** Time between the polite and the final signal of an abort. */
  readonly graceMs: number;
  /** Delays between the attempts of a job; the last one applies to all further attempts. */
  readonly retryDelaysMs: readonly number[];
  /** Whether a job may reuse the results of other owners; otherwise nothing reveals that they exist. */
  readonly sharesResults: boolean;
  readonly limits: Limits;
  /** Called when outputs of a run have been copied, before the end of the run is recorded. Never rejects. */
  readonly onPlaced: (placed: PlacedOutputs) => Promise<void>;
  readonly log: Log;
}

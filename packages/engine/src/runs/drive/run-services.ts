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

/** What runs act through; everything that touches the world comes in here. */
export interface RunServices {
  /** The version of Weft. */
  readonly version: string;
  readonly journal: Journal;
  readonly scheduler: Scheduler;
  readonly executor: Executor;
  /** Where jobs run. */
  readonly backends: BackendPolicy;
  readonly containers: Containers;
  /** What closes in the jobs without a container. */
  readonly jobSandbox: JobSandbox;
  readonly access: DiskAccess;
  /** What the run may read; outside of a run what anybody may. */
  readonly reach: Reach;
  readonly files: FileAccess;
  /** Files from the web; a run reads them through files of its own (see run-fetch.ts). */
  readonly downloads: DownloadStore;
  readonly script: ScriptEngine;
  readonly secrets: SecretStore;
  readonly uris: PortableUris;
  /** Where outputs may be copied to. */
  readonly sinks: SinkFolders;
  /** Absolute path of the folder that holds a folder per run. */
  readonly runsFolder: string;
  /** True: results are on disk (fsync) before the log says that they exist. */
  readonly sync: boolean;
  /** Time between the polite and the final signal of an abort. */
  readonly graceMs: number;
  /** Times between the attempts of a job; the last stands for all that follow. */
  readonly retryDelaysMs: readonly number[];
  /** Whether a job may take the result of somebody else's; else nothing tells that there is one. */
  readonly sharesResults: boolean;
  readonly limits: Limits;
  /** Called when outputs of a run are at their places, before the end of the run is recorded. Never rejects. */
  readonly onPlaced: (placed: PlacedOutputs) => Promise<void>;
  readonly log: Log;
}

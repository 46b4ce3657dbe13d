import type { SandboxSetting } from "@weft/shared/records/sandbox-setting.ts";
import type { ExecutionSettings } from "../container/open-execution.ts";
import type { Executor } from "../executor/executor.ts";
import type { DownloadSettings } from "../files/remote/download.ts";
import type { SinkFolders } from "../sink/sink-folders.ts";

export interface EngineOptions extends ExecutionSettings {
  readonly version: string;
  readonly stateFolder: string;
  /** A folder that other machines see as well, for what jobs read and write; absent: that is in the state folder. */
  readonly sharedFolder?: string | undefined;
  readonly catalogFolder: string;
  /** Name → folder that inputs may come from, besides the catalog and uploads. */
  readonly dataFolders: Readonly<Record<string, string>>;
  /** Where outputs may be copied to; absent: nowhere. */
  readonly sinks?: SinkFolders;
  /** Times between the attempts of a job; absent: seconds that grow. */
  readonly retryDelaysMs?: readonly number[];
  readonly maxUploadBytes: number;
  /** Sandbox for jobs without a container; absent: none. */
  readonly jobSandbox?: SandboxSetting;
  /** Which files of the web may be inputs, and how they are fetched; absent: none. */
  readonly downloadSettings?: DownloadSettings | undefined;
  /** Runs that have not ended, at most; absent: any number. */
  readonly maxOpenRuns?: number | undefined;
  /** Put jobs into control groups where this machine allows it; absent: yes. */
  readonly controlGroups?: boolean;
  /** False: results of earlier jobs are taken from runs of the same owner only. */
  readonly sharesResults?: boolean;
  /** Runs the jobs of this machine; absent: as its processes. */
  readonly executor?: Executor;
  /** Resolves when the server listens, which starts resuming runs; absent: at once. */
  readonly listening?: Promise<void>;
  /** How long to watch a run that may have crashed earlier servers before resuming the next; absent: half a minute. */
  readonly probationMs?: number;
}

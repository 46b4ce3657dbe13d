import type { SandboxSetting } from "@weft/shared/records/sandbox-setting.ts";
import type { ExecutionSettings } from "../container/open-execution.ts";
import type { Machine } from "../executor/executor.ts";
import type { DownloadSettings } from "../files/remote/download.ts";
import type { ActAs } from "../port/caller.ts";
import type { NotificationSettings } from "../port/notification-settings.ts";
import type { RunNameTemplates } from "../runs/begin/run-name.ts";
import type { SinkFolders } from "../sink/folders/sink-folders.ts";

export interface EngineOptions extends ExecutionSettings {
  readonly version: string;
  readonly stateFolder: string;
  /** If false, written data survives the end of the process, but not a power cut. Default: true. */
  readonly syncs?: boolean;
  /** The folder for files that jobs read and write, shared with other machines. Default: the state folder. */
  readonly sharedFolder?: string | undefined;
  readonly catalogFolder: string;
  /** Name → folder from which runs may take inputs, in addition to the catalog and uploads. */
  readonly dataFolders: Readonly<Record<string, string>>;
  /** Destinations to which outputs may be copied; absent: none. */
  readonly sinks?: SinkFolders;
  /** Delays between the attempts of a job; absent: growing delays of some seconds. */
  readonly retryDelaysMs?: readonly number[];
  readonly maxUploadBytes: number;
  /** Sandbox for jobs without a container; absent: none. */
  readonly jobSandbox?: SandboxSetting;
  /** The settings for fetching input URLs; without them, no URLs are allowed. */
  readonly downloadSettings?: DownloadSettings | undefined;
  /** Allows WES documents: attached to requests, or from these hosts. Absent: only the catalog's documents can run. */
  readonly wesDocuments?: { readonly hosts: readonly string[] } | undefined;
  /** Templates for run names, by ID of the network or tool; "" applies to all others. Absent: the usual names. */
  readonly runNames?: RunNameTemplates;
  /** Whether authors may commit published versions to the git work tree of the catalog; absent: no. */
  readonly commitPublished?: boolean;
  /** Maximum number of open runs; absent: unlimited. */
  readonly maxOpenRuns?: number | undefined;
  /** Whether to put jobs into control groups if the machine allows it; absent: true. */
  readonly controlGroups?: boolean;
  /** False: a run reuses only results of runs that belong to the same owner. */
  readonly sharesResults?: boolean;
  /** Runs jobs on this machine; absent: as local processes. */
  readonly executor?: Machine;
  /** Resolves when the server listens, which starts resuming runs; absent: start immediately. */
  readonly listening?: Promise<void>;
  /** The settings of notifications, and the delays between attempts to send one; absent: none are sent. */
  readonly notifications?: NotificationSettings & { readonly delaysMs?: readonly number[] };
  /** Time between two checks of the automations; absent: 10 s. */
  readonly automationIntervalMs?: number;
  /** Finds the current rights of an absent user for whom the server acts; absent: it acts for nobody. */
  readonly actAs?: ActAs;
  /** The time for which a suspect run is watched before the next one is resumed. Default: 30 s. */
  readonly probationMs?: number;
}

import type { SandboxSetting } from "@weft/shared/records/sandbox-setting.ts";
import { runProgram } from "../executor/run-program.ts";
import type { Log } from "../log.ts";
import type { StateFolder } from "../state/state-folder.ts";
import { openJobSandbox } from "./job-sandbox.ts";
import type { JobSandbox } from "./job-sandbox.ts";
import { sandboxPlaces } from "./sandbox-places.ts";

interface StateSandboxOptions {
  readonly setting: SandboxSetting | undefined;
  /** Folders that jobs may read although they are in the state folder or among temporary files. */
  readonly kept: readonly string[];
  readonly log: Log;
}

/** The sandbox of a server. Rejects if it is required and does not work. */
export async function openStateSandbox(state: StateFolder, options: StateSandboxOptions): Promise<JobSandbox> {
  const { setting = "none", kept, log } = options;
  const { root, runs, uploads, wesDocuments, downloads } = state;
  const places = () => sandboxPlaces({ root, runsFolder: runs, stores: [uploads, wesDocuments, downloads] }, kept);
  return openJobSandbox({ setting, places, run: runProgram, log });
}

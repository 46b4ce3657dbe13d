import { userInfo } from "node:os";
import { join } from "node:path";
import { shareLaunchers } from "../launcher-path.ts";
import { runProgram } from "../run-program.ts";
import { attemptFoldersOf } from "../../files/attempt-folder.ts";
import type { Log } from "../../log.ts";
import { MACHINE_CLOCK } from "../tracker.ts";
import { SlurmClient } from "./slurm-client.ts";
import { SlurmExecutor } from "./slurm-executor.ts";
import { DEFAULT_SLURM } from "./slurm-settings.ts";
import type { SlurmSettings } from "./slurm-settings.ts";

/** In the folder of runs, which the nodes share. No run has such a name. */
const LAUNCHERS = ".weft-exec";

/** Slurm, through this machine's commands. Runs none before the first job. */
export function openSlurmExecutor(
  settings: SlurmSettings = DEFAULT_SLURM,
  { runsFolder, log }: { readonly runsFolder: string; readonly log: Log },
): SlurmExecutor {
  return new SlurmExecutor({
    settings,
    client: new SlurmClient(settings, runProgram, String(userInfo().uid), () =>
      shareLaunchers(join(runsFolder, LAUNCHERS)),
    ),
    clock: MACHINE_CLOCK,
    log,
    attemptFolders: (place) => attemptFoldersOf(runsFolder, place),
  });
}

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { DEFAULT_SLURM, type SlurmSettings } from "../slurm-settings.ts";
import { attemptFoldersOf } from "../../../files/attempt-folder.ts";
import type { Launch } from "../../executor.ts";
import { launchIn } from "../../testing/launch.ts";
import { slurmQueue } from "../slurm-system.ts";
import { ScriptedSlurm } from "./scripted-slurm.ts";

const root = temporaryFolder();
export const SECONDS = { pollMs: 1000, latencyMs: 5000 };

/** A scripted Slurm, its executor and the log of that. */
export function scriptedSlurm(settings: Partial<SlurmSettings> = {}) {
  const slurm = new ScriptedSlurm();
  const logged: string[] = [];
  const executor = slurmQueue({
    settings: { ...DEFAULT_SLURM, ...SECONDS, ...settings },
    client: slurm,
    clock: slurm.clock,
    log: (_level, message) => logged.push(message),
    attemptFolders: (place) => attemptFoldersOf(root, place),
  });
  after(() => executor.close());
  return { slurm, executor, logged };
}

/** A job at Slurm. */
export function submitted() {
  const at = scriptedSlurm();
  const launch = launchOf();
  const { started, exit } = at.executor.submit(launch);
  return { ...at, launch, started, exit };
}

let count = 0;
/** A job with its folder; in its own run unless one is given. */
export function launchOf(more: Partial<Launch> = {}): Launch {
  const { runId, jobId } = { runId: `run${++count}`, jobId: "j", ...more };
  return launchIn(join(root, runId, "jobs", `${jobId}@1`), { backend: "slurm", runId, ...more });
}

/** Claims the attempt, as the wrapper on a node does first. */
export function claim({ folder }: Launch, id = "1_0"): void {
  writeFileSync(join(folder, "record"), `slurm ${id} n1\npid 7\nboot b\nstat \n`);
}

/** Claims the attempt and records its exit, as the wrapper on a node does last. */
export function record(launch: Launch, code: number, id?: string): void {
  claim(launch, id);
  writeFileSync(join(launch.folder, "record"), `exit ${code}\n`, { flag: "a" });
}

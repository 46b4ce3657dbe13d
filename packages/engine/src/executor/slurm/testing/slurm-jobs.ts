import { writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { after } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { DEFAULT_SLURM } from "../slurm-settings.ts";
import { attemptFoldersOf } from "../../../files/attempt-folder.ts";
import type { JobExit, Launch } from "../../executor.ts";
import { slurmQueue } from "../slurm-system.ts";
import type { SlurmSettings } from "../slurm-settings.ts";
import type { ScriptedSlurm } from "./scripted-slurm.ts";

const root = temporaryFolder();
export const SECONDS = { pollMs: 1000, latencyMs: 5000 };

/** An executor with a scripted Slurm, and its log. */
export function executorOn(slurm: ScriptedSlurm, settings: Partial<SlurmSettings> = {}) {
  const logged: string[] = [];
  const executor = slurmQueue({
    settings: { ...DEFAULT_SLURM, ...SECONDS, ...settings },
    client: slurm,
    clock: slurm.clock,
    log: (_level, message) => logged.push(message),
    attemptFolders: (place) => attemptFoldersOf(root, place),
  });
  after(() => executor.close());
  return { executor, logged };
}

let count = 0;
/** A job with its folder; in its own run unless one is given. */
export async function launchOf(more: Partial<Launch> = {}): Promise<Launch> {
  const runId = more.runId ?? `run${++count}`;
  const jobId = more.jobId ?? "j";
  const folder = join(root, runId, "jobs", `${jobId}@1`);
  await mkdir(join(folder, "out"), { recursive: true });
  return {
    ...{ runId, jobId, attempt: 1, backend: "slurm", size: { cores: 1, ramMib: undefined, seconds: undefined } },
    ...{ folder, workdir: join(folder, "out"), argv: ["true"], env: {} },
    ...{ stdin: "/dev/null", stdout: join(folder, "stdout"), stderr: join(folder, "stderr") },
    ...more,
  };
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

/** An end in a few words. */
export function textOf(exit: JobExit): string {
  return [
    exit.kind,
    ...("exitCode" in exit ? [exit.exitCode] : []),
    ...("cause" in exit ? [exit.cause?.code] : []),
  ].join(" ");
}

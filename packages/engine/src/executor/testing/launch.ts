import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { JobExit, Launch, LaunchSize } from "../executor.ts";

export const ONE_CORE: LaunchSize = { cores: 1, ramMib: undefined, seconds: undefined };

/** A job whose attempt has this folder, which need not exist. */
export function launchAt(folder: string, more: Partial<Launch> = {}): Launch {
  return {
    ...{ runId: "r", jobId: "j", attempt: 1, backend: "local", size: ONE_CORE },
    ...{ folder, workdir: join(folder, "out"), argv: ["true"], env: {} },
    ...{ stdin: "/dev/null", stdout: join(folder, "stdout"), stderr: join(folder, "stderr") },
    ...more,
  };
}

/** A job that can run: its working folder exists, and it finds the programs of this machine. */
export function launchIn(folder: string, more: Partial<Launch> = {}): Launch {
  const launch = launchAt(folder, { env: { PATH: process.env["PATH"] ?? "" }, ...more });
  mkdirSync(launch.workdir, { recursive: true });
  return launch;
}

/** An end in a few words. */
export function textOf(exit: JobExit): string {
  const code = "exitCode" in exit ? [exit.exitCode] : [];
  const cause = "cause" in exit && exit.cause !== undefined ? [exit.cause.code] : [];
  return [exit.kind, ...code, ...cause].join(" ");
}

import { textOf } from "../executor/process-files.ts";
import { userInfo } from "node:os";
import { launcherPath } from "../executor/launcher-path.ts";
import type { RunProgram } from "../executor/run-program.ts";
import { canStamp } from "../executor/kill/job-stamp.ts";
import { failed, ok, warning, type Finding } from "./machine.ts";

const OLDEST_NODE = 24;
/** The minimum limit of open files: a server needs at least one for each client and job. */
const FEWEST_FILES = 4096;
const FEWEST_PROCESSES = 1024;
const PATIENCE_MS = 10_000;

export function checkNode(version = process.versions.node, path = process.execPath): Finding {
  if (Number(version.split(".")[0]) >= OLDEST_NODE) return ok(`${version}, ${path}`);
  return failed(
    `Weft needs Node ${OLDEST_NODE} or newer, and ${path} is ${version}`,
    "npm install --global node@latest",
  );
}

export function checkAccount(uid = process.getuid?.(), name = accountName()): Finding {
  if (uid !== 0) return ok(uid === undefined ? name : `${name} (${uid})`);
  const account = "sudo useradd --system --create-home weft && sudo -u weft weft serve";
  return warning("root: tools that run without a container or sandbox have all rights on this machine", account);
}

/** Reads /proc/self/limits, which exists only on Linux. */
export function checkLimits(limits = textOf("/proc/self/limits")): Finding {
  if (limits === "") return ok("this system does not list them");
  const files = hardLimit(limits, "Max open files");
  if (files < FEWEST_FILES)
    return warning(`at most ${files} open files; Weft may need ${FEWEST_FILES}`, `ulimit -n ${FEWEST_FILES}`);
  const processes = hardLimit(limits, "Max processes");
  if (processes < FEWEST_PROCESSES)
    return warning(
      `at most ${processes} processes of this account; jobs may need ${FEWEST_PROCESSES}`,
      `ulimit -u ${FEWEST_PROCESSES}`,
    );
  const size = hardLimit(limits, "Max file size");
  if (size !== Number.POSITIVE_INFINITY)
    return warning(`files of at most ${size} bytes; outputs may be larger`, "ulimit -f unlimited");
  if (!canStamp(limits))
    return warning(
      "a limit of file locks is set, so Weft cannot mark the processes of jobs with it",
      "ulimit -x unlimited",
    );
  return ok(`${amount(files)} open files, ${amount(processes)} processes`);
}

/** Starts the program that starts jobs, without a job. */
export async function checkLauncher(run: RunProgram, path = launcherPath()): Promise<Finding> {
  if (path === undefined)
    return ok("none for this system: the server starts jobs, and cannot follow them after it exits");
  const { code, stdout, stderr } = await run(path, [], { input: new Uint8Array(), timeoutMs: PATIENCE_MS });
  if (code === 0 && stdout === "over\n") return ok(path);
  const why = stderr.trim() === "" ? `it ended with ${code ?? "a signal"}` : stderr.trim();
  return failed(`${path} cannot start jobs: ${why}`, `findmnt --target ${path} && ls -l ${path}`);
}

function hardLimit(limits: string, name: string): number {
  const hard = new RegExp(`^${name} +\\S+ +(\\S+)`, "m").exec(limits)?.[1];
  return hard === undefined || hard === "unlimited" ? Number.POSITIVE_INFINITY : Number(hard);
}

function amount(limit: number): string {
  return Number.isFinite(limit) ? String(limit) : "unlimited";
}

/** The name of the account, or its number if it has no name. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return "an account without a name";
  }
}

import { existsSync, readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { canStamp } from "../executor/kill/job-stamp.ts";
import { failed, ok, warning } from "./finding.ts";
import type { Finding } from "./finding.ts";

const OLDEST_NODE = 24;
/** A server with many clients and jobs holds a file or more for each. */
const FEWEST_FILES = 4096;
const FEWEST_PROCESSES = 1024;

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
export function checkLimits(limits = ownLimits()): Finding {
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

function hardLimit(limits: string, name: string): number {
  const hard = new RegExp(`^${name} +\\S+ +(\\S+)`, "m").exec(limits)?.[1];
  return hard === undefined || hard === "unlimited" ? Number.POSITIVE_INFINITY : Number(hard);
}

function amount(limit: number): string {
  return Number.isFinite(limit) ? String(limit) : "unlimited";
}

/** An account may have a number only. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return "an account without a name";
  }
}

function ownLimits(): string {
  return existsSync("/proc/self/limits") ? readFileSync("/proc/self/limits", "latin1") : "";
}

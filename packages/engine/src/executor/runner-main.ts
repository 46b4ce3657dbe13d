import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Launch } from "./executor.ts";
import { groupTable } from "./group-table.ts";
import { markerOf } from "./job-marker.ts";
import { JOB_WRAPPER } from "./job-wrapper.ts";
import { killMarked, procTable } from "./kill-marked.ts";
import type { RunnerAnswer, RunnerRequest } from "./runner-protocol.ts";

/**
 * The runner: a small process beside the server that starts jobs. Starting a process costs time in proportion to the
 * memory of the one that forks, so the server never does it itself. Jobs are in process groups of their own with files
 * as their streams: when the runner or the server goes away they run on and leave their exit file.
 */
const leaders = new Map<number, readonly string[]>();
const table = existsSync("/proc/self/environ") ? procTable : groupTable(leadersOf);

process.on("message", (request: RunnerRequest) => {
  if (request.op === "start") start(request.id, request.launch);
  else void kill(request);
});
// The server is gone: jobs go on, nobody listens any more.
process.on("disconnect", () => process.exit(0));
// A Ctrl-C in the terminal reaches the whole foreground group; what happens to jobs is the server's decision.
process.on("SIGINT", () => {});
answer({ op: "ready" });

function start(id: number, launch: Launch): void {
  const { folder, workdir, stdin, stdout, stderr, argv } = launch;
  const child = spawn("/bin/sh", ["-c", JOB_WRAPPER, "weft-job", folder, workdir, stdin, stdout, stderr, ...argv], {
    cwd: "/",
    detached: true,
    stdio: "ignore",
    env: { ...launch.env, ...markerOf(launch) },
  });
  child.on("error", (error) => answer({ op: "rejected", id, message: error.message }));
  child.on("spawn", () => {
    if (child.pid === undefined) return;
    leaders.set(
      child.pid,
      Object.entries(markerOf(launch)).map(([name, value]) => `${name}=${value}`),
    );
    answer({ op: "started", id, pid: child.pid });
  });
  child.on("exit", (wrapperCode) => {
    if (child.pid !== undefined) leaders.delete(child.pid);
    answer({ op: "ended", id, wrapperCode, record: readRecord(folder) });
  });
}

async function kill(request: Extract<RunnerRequest, { op: "kill" }>): Promise<void> {
  const { id, marker, graceMs } = request;
  try {
    answer({ op: "killed", id, report: await killMarked(marker, graceMs, table) });
  } catch (error) {
    answer({ op: "kill-failed", id, message: String(error) });
  }
}

function readRecord(folder: string): string {
  const path = join(folder, "exit");
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

function leadersOf(marker: string): readonly number[] {
  return [...leaders].filter(([, markers]) => markers.includes(marker)).map(([pid]) => pid);
}

function answer(message: RunnerAnswer): void {
  // A server that goes away between two messages is told by `disconnect`, not by an error.
  process.send?.(message, undefined, {}, () => {});
}

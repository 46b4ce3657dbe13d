import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Launch } from "./executor.ts";
import { groupTable } from "./group-table.ts";
import { markerTexts } from "./job-marker.ts";
import { RECORD_FILE } from "./job-record-text.ts";
import { launchScript } from "./job-supervisor.ts";
import { killMarked, procTable } from "./kill-marked.ts";
import type { RunnerAnswer, RunnerRequest } from "./runner-protocol.ts";
import { SupervisorClient } from "./supervisor-client.ts";
import type { SupervisorNews } from "./supervisor-client.ts";
import { WrapperTable } from "./wrapper-table.ts";

/**
 * The runner: a small process beside the server that has jobs started and ended. Starting a process costs time in
 * proportion to the memory of the one that forks, so the server never does it itself. Jobs are in process groups of
 * their own with files as their streams: when the runner or the server goes away they run on and leave their record.
 */
const LOOK_EVERY_MS = 250;
const START_WAITS_MS = 20;
const wrappers = new WrapperTable();
const table = existsSync("/proc/self/environ") ? wrappers.with(procTable) : groupTable((marker) => wrappers.of(marker));
const supervisor = new SupervisorClient();
let answers: RunnerAnswer[] = [];
let flushSoon: NodeJS.Immediate | undefined;
let flushLater: NodeJS.Timeout | undefined;

process.on("message", (request: RunnerRequest) => {
  if (request.op === "start") start(request.id, request.launch);
  else if (request.op === "adopt") wrappers.add(request.pid, { name: request.id, markers: request.markers });
  else void kill(request);
});
// The server is gone: jobs go on, nobody listens any more.
process.on("disconnect", () => void supervisor.close().finally(() => process.exit(0)));
// A Ctrl-C in the terminal reaches the whole foreground group; what happens to jobs is the server's decision.
process.on("SIGINT", () => {});
supervisor.warm();
setInterval(() => wrappers.forgetGone(), LOOK_EVERY_MS).unref();
answer({ op: "ready" });

function start(id: number, launch: Launch): void {
  const refused = writeLaunch(launch);
  if (refused !== undefined) answer({ op: "rejected", id, message: refused });
  else supervisor.start(launch.folder, (news) => hear(id, launch, news));
}

/** Why the job cannot be started, if so. The file of an earlier start of the same attempt says the same and stays. */
function writeLaunch(launch: Launch): string | undefined {
  if ([...launch.argv, ...Object.values(launch.env)].some((text) => text.includes("\0")))
    return "an argument or environment variable holds a zero byte";
  try {
    writeFileSync(join(launch.folder, "launch"), launchScript(launch), { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") return String(error);
  }
  return undefined;
}

function hear(id: number, launch: Launch, news: SupervisorNews): void {
  const ended = () => answer({ op: "ended", id, record: readRecord(launch.folder) });
  switch (news.kind) {
    case "started":
      wrappers.add(news.pid, { name: id, markers: markerTexts(launch), gone: ended });
      answer({ op: "started", id, pid: news.pid });
      return;
    case "ended":
      wrappers.drop(id);
      ended();
      return;
    case "taken":
      answer({ op: "taken", id });
      return;
    case "rejected":
      answer({ op: "rejected", id, message: news.message });
      return;
  }
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
  const path = join(folder, RECORD_FILE);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/**
 * What is said in one turn goes as one message, and a start waits a moment for company: each message costs a wake-up of
 * the other process, and most of what starts in a large run ends at once.
 */
function answer(message: RunnerAnswer): void {
  answers.push(message);
  if (message.op !== "started") flushSoon ??= setImmediate(flush);
  else flushLater ??= setTimeout(flush, START_WAITS_MS);
}

function flush(): void {
  clearImmediate(flushSoon);
  clearTimeout(flushLater);
  flushSoon = flushLater = undefined;
  const said = answers;
  answers = [];
  // A server that goes away between two messages is told by `disconnect`, not by an error.
  process.send?.(said, undefined, {}, () => {});
}

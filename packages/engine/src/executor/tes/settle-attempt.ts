import { existsSync } from "node:fs";
import { basename } from "node:path";
import { openTrustedFolder, type OpenFolder } from "../../files/beneath/open-folder.ts";
import { runLater, type Steps } from "../../files/beneath/steps.ts";
import { isBelow } from "../../files/is-below.ts";
import type { JobExit, Launch } from "../executor.ts";
import { RECORD_FILE } from "../job-record-text.ts";
import { arrivalsOf } from "./task-document.ts";
import type { TaskLog } from "./task-view.ts";
import type { Clock } from "../tracker.ts";
import { errorText } from "../../error-text.ts";

export interface SettleOptions {
  readonly exit: JobExit;
  readonly log: TaskLog | undefined;
  readonly clock: Clock;
  /** The maximum time until files that a worker wrote become visible on this machine. */
  readonly latencyMs: number;
  readonly signal: AbortSignal;
}

const LOOK_MS = 250;
const RIGHTS = "Weft's account must be able to read and remove what workers write to the shared folder";

/**
 * Moves a task's files to the job's output directory, and then records its exit. In this order, a server that
 * crashes in between simply repeats both. If a program's streams did not arrive and are not outputs, the server's own
 * copy replaces them; a partial output would be a wrong result. Others who share the folder may have put links anywhere
 * in it, so it follows no link and refuses a link in place of the arrived folder.
 */
export async function settleAttempt(launch: Launch, settling: SettleOptions): Promise<JobExit> {
  const { exit, log } = settling;
  if (exit.kind === "exited" && exit.exitCode === 0) await untilArrived(launch, settling);
  try {
    using folder = await runLater(openTrustedFolder(launch.folder));
    await runLater(placeArrivals(launch, folder));
    for (const name of ["stdout", "stderr"] as const) await runLater(keepStream(launch, { name, log }, folder));
    if (exit.kind === "exited") await runLater(replaceFile(folder, RECORD_FILE, `exit ${exit.exitCode}\n`));
    return exit;
  } catch (error) {
    const message = `the outputs of the job's task cannot be moved: ${errorText(error)}`;
    if ((error as NodeJS.ErrnoException).code === "ENOSPC") return { kind: "rejected", message, isDiskFull: true };
    return { kind: "lost", cause: { code: "BACKEND_LOST", message, hint: RIGHTS } };
  }
}

/** A program's streams are written last, so once they are visible, all other files are visible too. */
async function untilArrived(launch: Launch, { clock, latencyMs, signal }: SettleOptions): Promise<void> {
  const deadline = clock.now() + latencyMs;
  const streams = [launch.stdout, launch.stderr].map((path) => arrivedAt(launch, path));
  while (existsSync(arrivalsOf(launch)) && !streams.every((path) => existsSync(path)) && clock.now() < deadline)
    await clock.pause(LOOK_MS, signal);
}

function arrivedAt(launch: Launch, path: string): string {
  return isBelow(path, launch.workdir) ? arrivalsOf(launch) + path.slice(launch.workdir.length) : path;
}

function* placeArrivals(launch: Launch, folder: OpenFolder): Steps<void> {
  const [arrived, workdir] = [basename(arrivalsOf(launch)), basename(launch.workdir)];
  if ((yield* folder.lstat(arrived)) === undefined) return;
  yield* folder.removeAll(workdir);
  yield* folder.rename(arrived, workdir);
  if ((yield* folder.lstat(workdir))?.isDirectory() === true) return;
  yield* folder.removeFile(workdir);
  throw new Error(`${arrivalsOf(launch)} is not a folder`);
}

interface KeptStream {
  readonly name: "stdout" | "stderr";
  readonly log: TaskLog | undefined;
}

function* keepStream({ workdir, ...streams }: Launch, { name, log }: KeptStream, folder: OpenFolder): Steps<void> {
  const path = streams[name];
  if (isBelow(path, workdir)) return;
  const found = yield* folder.lstat(basename(path));
  if (found === undefined || found.isSymbolicLink()) yield* replaceFile(folder, basename(path), log?.[name] ?? "");
}

/** Replaces a file or a link with a new file. */
function* replaceFile(folder: OpenFolder, name: string, text: string): Steps<void> {
  yield* folder.removeFile(name);
  using file = yield* folder.create(name);
  file.write(text);
}

import { spawn } from "node:child_process";
import { appendFileSync, closeSync, existsSync, openSync, writeSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import type { Launch } from "./executor.ts";
import { markerOf } from "./job-marker.ts";
import { RECORD_FILE } from "./job-record-text.ts";
import type { JobStarter, StarterListener } from "./job-starter.ts";
import { refusedText } from "./launch-file.ts";
import { errorText } from "../error-text.ts";

const NO_FOLDER = 97;
const CANNOT_RUN = 126;
const NO_PROGRAM = 127;

/** The standard streams of a program, as descriptors. */
type Streams = [stdin: number, stdout: number, stderr: number];

/**
 * Starts programs from this process, where there is no launcher (macOS). Weaker than the launcher (ADR 111): if the server
 * ends before a job, its exit is not recorded, so the next server counts the job as lost; there are no stamps, limits or
 * control groups; and no usage is recorded.
 */
export class SpawnStarter implements JobStarter {
  /** There is nothing to prepare. */
  warm(): void {}

  start(launch: Launch, _marks: unknown, listener: StarterListener): void {
    const message = refusedText(launch);
    if (message !== undefined) return listener({ kind: "rejected", message });
    const record = join(launch.folder, RECORD_FILE);
    try {
      closeSync(openSync(record, "wx"));
    } catch {
      return listener({ kind: "taken" });
    }
    const end = (code: number) => {
      appendFileSync(record, `exit ${code}\n`);
      listener({ kind: "ended" });
    };
    const streams = openStreams(launch);
    if (streams === undefined) return end(CANNOT_RUN);
    if (existsSync(launch.workdir)) begin(launch, streams, { record, listener, end });
    else end(NO_FOLDER);
    for (const fd of new Set(streams)) closeSync(fd);
  }

  async close(): Promise<void> {}
}

interface Started {
  readonly record: string;
  readonly listener: StarterListener;
  readonly end: (code: number) => void;
}

function begin(launch: Launch, streams: Streams, { record, listener, end }: Started): void {
  const [program = "", ...args] = launch.argv;
  const env = { ...launch.env, ...markerOf(launch) };
  const child = spawn(program, args, { cwd: launch.workdir, env, detached: true, stdio: streams });
  if (child.pid === undefined) {
    // A folder in PATH that this account may not search does not show that the program is missing.
    const isMissing = (error: NodeJS.ErrnoException) => error.code === "ENOENT" || !program.includes("/");
    child.once("error", (error) => end(isMissing(error) ? NO_PROGRAM : CANNOT_RUN));
    writeSync(streams[2], `${program}: cannot be started\n`);
    return;
  }
  appendFileSync(record, `pid ${child.pid}\nboot \nstat \ngroup ${child.pid}\n`);
  listener({ kind: "forked", pid: child.pid });
  listener({ kind: "started", pid: child.pid });
  child.once("exit", (code, signal) => end(code ?? 128 + constants.signals[signal ?? "SIGKILL"]));
  child.unref();
}

/** Output streams are new files. If another stream cannot be opened, the reason is written to stderr. */
function openStreams({ stdin, stdout, stderr }: Launch): Streams | undefined {
  const opened: number[] = [];
  try {
    const err = openSync(stderr, "wx");
    opened.push(err);
    const out = stdout === stderr ? err : openSync(stdout, "wx");
    if (out !== err) opened.push(out);
    return [openSync(stdin, "r"), out, err];
  } catch (error) {
    const [err] = opened;
    if (err !== undefined) writeSync(err, `${errorText(error)}\n`);
    for (const fd of opened) closeSync(fd);
    return undefined;
  }
}

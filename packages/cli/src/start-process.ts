import type { Writable } from "node:stream";
import { setFlagsFromString } from "node:v8";
import type { CommandIo } from "./io/command-io.ts";

/**
 * Runs a command line in this process and ends the process with its exit code. Work that the command no longer waits
 * for (a check of a disk that does not respond, an engine that is stopping) does not keep the process alive.
 */
export async function startProcess(run: (words: readonly string[], io: CommandIo) => Promise<number>): Promise<never> {
  const { stdout, stderr, env, argv } = process;
  // A reader of the output may stop early (`weft help | head`). The command still ends as usual.
  for (const stream of [stdout, stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  const code = await run(argv.slice(2), {
    // A getter, so that only commands that read standard input open it.
    get stdin() {
      return process.stdin;
    },
    stdout,
    stderr,
    env,
    cwd: process.cwd(),
    signals: process,
    umask: (mask) => process.umask(mask),
    setV8Flags: setFlagsFromString,
    atEnd: (act) => process.once("exit", act),
  });
  await Promise.all([written(stdout), written(stderr)]);
  process.exit(code);
}

/** Resolves when everything written so far has been passed on; a closed pipe accepts nothing more. */
function written(stream: Writable): Promise<void> {
  return new Promise((resolve) => stream.write("", () => resolve()));
}

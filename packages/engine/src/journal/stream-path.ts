import { dirname, relative } from "node:path";
import type { Command } from "@weft/shared/records/job-record.ts";

/**
 * The path of a job's stream relative to its attempt folder; a tool may have chosen its own file. The command may be
 * that of an earlier job in another folder.
 */
export function streamPath(command: Command, stream: "stdout" | "stderr"): string {
  const path = command[stream];
  // Jobs work in `out` in the folder of their attempt.
  return path === undefined ? stream : relative(dirname(command.workdir), path);
}

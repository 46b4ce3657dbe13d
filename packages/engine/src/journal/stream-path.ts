import { dirname, relative } from "node:path";
import type { Command } from "@weft/shared/records/job-record.ts";

/**
 * Where a job's stream lies, relative to the folder of its attempt; a tool may have named a file of its own for it. The
 * command may be that of an earlier job, whose folder was another.
 */
export function streamPath(command: Command, stream: "stdout" | "stderr"): string {
  const path = command[stream];
  // Jobs work in `out` in the folder of their attempt.
  return path === undefined ? stream : relative(dirname(command.workdir), path);
}

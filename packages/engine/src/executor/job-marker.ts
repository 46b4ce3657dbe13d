import type { JobSelector, Launch } from "./executor.ts";

/** Every process of a job inherits these two variables. Aborts use them to find processes in any session. */
export function markerOf(launch: Pick<Launch, "runId" | "jobId" | "attempt">): Readonly<Record<string, string>> {
  return { WEFT_RUN: launch.runId, WEFT_JOB: `${launch.runId}/${jobName(launch)}` };
}

/** An attempt within its run: `jobId/attempt`. */
export function jobName({ jobId, attempt }: { readonly jobId: string; readonly attempt: number }): string {
  return `${jobId}/${attempt}`;
}

/** The text to search for in a process's environment. */
export function markerTextOf({ runId, job }: JobSelector): string {
  return job === undefined ? `WEFT_RUN=${runId}` : `WEFT_JOB=${runId}/${jobName(job)}`;
}

/** The attempt of the run that an environment (NUL-separated settings) names, if any. */
export function jobNameIn(environment: string, runId: string): string | undefined {
  const text = `\0WEFT_JOB=${runId}/`;
  const start = environment.indexOf(text);
  if (start < 0) return undefined;
  return environment.slice(start + text.length, environment.indexOf("\0", start + text.length));
}

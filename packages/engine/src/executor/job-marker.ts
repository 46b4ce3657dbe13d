import type { KillTarget, Launch } from "./executor.ts";

/** Every process of a job inherits these two variables; abort finds processes by them, whatever session they moved to. */
export function markerOf(launch: Pick<Launch, "runId" | "jobId" | "attempt">): Readonly<Record<string, string>> {
  return { WEFT_RUN: launch.runId, WEFT_JOB: `${launch.runId}/${launch.jobId}/${launch.attempt}` };
}

/** The same as the texts that stand in an environment. */
export function markerTexts(launch: Pick<Launch, "runId" | "jobId" | "attempt">): readonly string[] {
  return Object.entries(markerOf(launch)).map(([name, value]) => `${name}=${value}`);
}

/** The text to look for in a process's environment. */
export function markerText(target: KillTarget): string {
  return target.job === undefined
    ? `WEFT_RUN=${target.runId}`
    : `WEFT_JOB=${target.runId}/${target.job.jobId}/${target.job.attempt}`;
}

import { MAX_NAME_BYTES } from "@weft/cwl/model/safe-name.ts";
import { attemptName } from "./attempt-folder.ts";
import type { Attempt } from "./attempt-folder.ts";

/** Folder of a run in which early builds of 0.2.0 kept the outputs of scattered jobs side by side. */
export const RESULTS = "results";

/** Name of an output of an attempt among the results of its run; undefined if no file can have it. */
export function resultName(attempt: Attempt, name: string): string | undefined {
  const result = `${attemptName(attempt)}.${name}`;
  return Buffer.byteLength(result) > MAX_NAME_BYTES ? undefined : result;
}

/**
 * Possible paths of an attempt's file below the run's folder: in the attempt folder and, for an output directly in its
 * output directory, among the results.
 */
export function placesOf(attempt: Attempt, within: string): readonly string[] {
  const place = `jobs/${attemptName(attempt)}/${within}`;
  const output = /^out\/([^/]+)$/.exec(within)?.[1];
  const result = output === undefined ? undefined : resultName(attempt, output);
  return result === undefined ? [place] : [place, `${RESULTS}/${result}`];
}

/** Like placesOf, for the path of a file below the folder of its run. */
export function placesOfPath(path: string): readonly string[] {
  const [, jobId, attempt, within] = /^jobs\/([^/]+)@(\d+)\/(.*)$/s.exec(path) ?? [];
  if (jobId === undefined || within === undefined) return [path];
  return placesOf({ jobId, attempt: Number(attempt) }, within);
}

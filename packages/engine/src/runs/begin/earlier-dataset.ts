import type { EarlierDataset } from "../../port/engine.ts";
import type { LogReader } from "../../journal/log-reader.ts";
import type { RunRow } from "../../journal/rows.ts";
import { timeText } from "../../present/present-time.ts";
import type { DatasetOfNewRun } from "./dataset-inputs.ts";

/** The query that gave an earlier run its samples; undefined if no query did. */
export function earlierDataset(
  { runId, samples, createdMs }: Pick<RunRow, "runId" | "samples" | "createdMs">,
  read: Pick<LogReader, "creation" | "blobBytes">,
): EarlierDataset | undefined {
  const { dataset } = read.creation(runId);
  // An imported run has the event of another server, without the result.
  if (dataset === undefined || read.blobBytes(dataset.result) === 0) return undefined;
  return {
    dataset: { asked_at: timeText(createdMs), ...dataset },
    samples: new Set(Object.values(samples).flat()),
  };
}

/** The record of that query for a new run that has some of the samples; undefined for any other run. */
export function keptDataset(
  earlier: EarlierDataset | undefined,
  samples: RunRow["samples"],
): DatasetOfNewRun | undefined {
  const hasSome = Object.values(samples).some((names) => names.some((name) => earlier?.samples.has(name)));
  if (earlier === undefined || !hasSome) return undefined;
  return { ...earlier.dataset, result: { digest: earlier.dataset.result } };
}

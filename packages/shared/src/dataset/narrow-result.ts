import type { QueriedSample, QueryResult } from "../records/dataset-record.ts";

/** The reason for samples that the query found but the run does not use. */
export const NOT_CHOSEN = "found, but not selected for the run";
export const STARTED_BEFORE = "the automation has started it in an earlier run";
export const STILL_SETTLING = "its files had just changed";

/** The result with only the chosen samples; lists the other samples as omitted, with a reason. */
export function narrowResult(
  result: QueryResult,
  reasonAgainst: (sample: QueriedSample) => string | undefined,
): QueryResult {
  const judged = result.samples.map((sample) => ({ sample, reason: reasonAgainst(sample) }));
  const samples = judged.flatMap(({ sample, reason }) => (reason === undefined ? [sample] : []));
  const others = judged.flatMap(({ sample: { name }, reason }) =>
    reason === undefined ? [] : [{ kind: "sample" as const, name, reason }],
  );
  if (others.length === 0) return result;
  return {
    ...result,
    samples,
    left_out: [...others, ...result.left_out],
    samples_left_out: result.samples_left_out + others.length,
    files_used: new Set(samples.flatMap(({ columns }) => Object.values(columns).flatMap(locationsOf))).size,
  };
}

function locationsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(locationsOf);
  if (typeof value !== "object" || value === null) return [];
  const { location, secondaryFiles } = value as { readonly location?: unknown; readonly secondaryFiles?: unknown }; // a CWL value
  return [...(typeof location === "string" ? [location] : []), ...locationsOf(secondaryFiles ?? [])];
}

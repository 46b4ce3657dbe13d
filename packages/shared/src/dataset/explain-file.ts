import type { IndexedFile } from "./index-dataset.ts";
import { unmetReason } from "./match-condition.ts";
import type { QueryPlan, Test } from "./query-plan.ts";

/** The reason why no sample uses a file, as a sentence. */
export function fileLeftOut(file: IndexedFile, { where, fileColumns }: QueryPlan): string {
  const unmet = firstUnmet(file, where);
  if (unmet !== undefined) return unmet;
  const reasons = fileColumns.map(({ tests }) => firstUnmet(file, tests));
  if (reasons.includes(undefined)) return "its sample is left out";
  return reasons.length === 1 && reasons[0] !== undefined ? reasons[0] : "no column takes it";
}

/** Why a file does not meet conditions; undefined if it meets all of them. */
export function firstUnmet(file: IndexedFile, tests: readonly Test[]): string | undefined {
  for (const { condition, field } of tests) {
    const reason = unmetReason(condition, field.name, field.valueOf(file));
    if (reason !== undefined) return reason;
  }
  return undefined;
}

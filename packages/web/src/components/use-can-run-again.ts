import type { RunSummary } from "@weft/shared/records/run-record.ts";
import { useRights } from "../api/session-query.ts";

/** Runs of another engine cannot be repeated here. */
export function useCanRunAgain({ foreign }: Pick<RunSummary, "foreign">): boolean {
  return useRights().has("runner") && foreign !== true;
}

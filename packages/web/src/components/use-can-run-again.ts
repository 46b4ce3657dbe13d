import type { RunSummary } from "@weft/shared/records/run-record.ts";
import { useRights } from "../api/session-query.ts";

/** What another engine ran cannot be run here. */
export function useCanRunAgain({ foreign }: Pick<RunSummary, "foreign">): boolean {
  return useRights().has("runner") && foreign !== true;
}

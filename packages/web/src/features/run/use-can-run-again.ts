import type { Run } from "@weft/shared/records/run-record.ts";
import { useRights } from "../../api/session-query.ts";

/** What another engine ran cannot be run here. */
export function useCanRunAgain(run: Run): boolean {
  return useRights().has("runner") && run.imported?.foreign === undefined;
}

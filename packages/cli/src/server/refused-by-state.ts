import { StateFolderUnusable } from "@weft/engine/journal/state-folder-unusable.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { ServerRefused } from "./ask-server.ts";
import { EXIT } from "../exit/exit-codes.ts";

/**
 * Prints why a state folder, or the server that uses it, refused a request, and returns the exit code: `failure`, or
 * another one if the folder is unusable. Throws any other error again.
 */
export function refusedByState(error: unknown, failure: number = EXIT.failure): number {
  const isUnusable = error instanceof StateFolderUnusable;
  if (!isUnusable && !(error instanceof ServerRefused) && !(error instanceof Refusal)) throw error;
  process.stderr.write(`weft: ${error.message}\n`);
  return isUnusable ? EXIT.configuration : failure;
}

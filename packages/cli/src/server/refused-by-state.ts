import { StateFolderUnusable } from "@weft/engine/journal/state-folder-unusable.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { ServerRefused } from "./ask-server.ts";
import { EXIT } from "../exit/exit-codes.ts";

/**
 * The exit code for what a state folder, or the server that has it, does not do, with the reason told: `failure`, or another
 * where the folder cannot be used at all. Anything unforeseen goes on.
 */
export function refusedByState(error: unknown, failure: number = EXIT.failure): number {
  const isUnusable = error instanceof StateFolderUnusable;
  if (!isUnusable && !(error instanceof ServerRefused) && !(error instanceof Refusal)) throw error;
  process.stderr.write(`weft: ${error.message}\n`);
  return isUnusable ? EXIT.configuration : failure;
}

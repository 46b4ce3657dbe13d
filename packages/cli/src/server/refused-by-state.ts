import { StateFolderUnusable } from "@weft/engine/journal/state-folder-unusable.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { ServerRefused } from "./ask-server.ts";
import { writeLine } from "../io/command-io.ts";
import type { CommandIo } from "../io/command-io.ts";
import { EXIT } from "../exit/exit-codes.ts";

/**
 * Prints why a state folder, or the server that uses it, refused a request, and returns the exit code: `failure`, or
 * another one if the folder is unusable. Throws any other error again.
 */
export function refusedByState(error: unknown, io: Pick<CommandIo, "stderr">, failure: number = EXIT.failure): number {
  const isUnusable = error instanceof StateFolderUnusable;
  if (!isUnusable && !(error instanceof ServerRefused) && !(error instanceof Refusal)) throw error;
  writeLine(io, `weft: ${error.message}`);
  return isUnusable ? EXIT.configuration : failure;
}

import { BackupRefused } from "@weft/engine/backup/backup-refused.ts";
import { writeLine } from "../io/command-io.ts";
import type { CommandIo } from "../io/command-io.ts";
import { EXIT } from "./exit-codes.ts";
import { errorText } from "@weft/engine/error-text.ts";

/** Prints why a backup cannot be created or restored and returns the exit code; throws any other error again. */
export function refusedBackup(error: unknown, io: Pick<CommandIo, "stderr">): number {
  // Disk errors (full, access denied) are expected, too.
  const isDiskError = error instanceof Error && typeof (error as NodeJS.ErrnoException).code === "string";
  if (!(error instanceof BackupRefused) && !isDiskError) throw error;
  writeLine(io, `weft: ${errorText(error)}`);
  return EXIT.failure;
}

import { BackupRefused } from "@weft/engine/backup/backup-refused.ts";
import { EXIT } from "./exit-codes.ts";

/** Prints why a backup cannot be created or restored and returns the exit code; throws any other error again. */
export function refusedBackup(error: unknown): number {
  // What the disk says (full, not allowed) is an answer as well.
  const isOfTheDisk = error instanceof Error && typeof (error as NodeJS.ErrnoException).code === "string";
  if (!(error instanceof BackupRefused) && !isOfTheDisk) throw error;
  process.stderr.write(`weft: ${error.message}\n`);
  return EXIT.failure;
}

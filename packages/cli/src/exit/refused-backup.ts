import { BackupRefused } from "@weft/engine/backup/backup-refused.ts";
import { EXIT } from "./exit-codes.ts";

/** The exit code for a backup that cannot be made or restored, with the reason told; anything unforeseen goes on. */
export function refusedBackup(error: unknown): number {
  // What the disk says (full, not allowed) is an answer as well.
  const isOfTheDisk = error instanceof Error && typeof (error as NodeJS.ErrnoException).code === "string";
  if (!(error instanceof BackupRefused) && !isOfTheDisk) throw error;
  process.stderr.write(`weft: ${error.message}\n`);
  return EXIT.failure;
}

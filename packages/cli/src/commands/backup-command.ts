import { backUpState } from "@weft/engine/backup/back-up-state.ts";
import { BackupRefused } from "@weft/engine/backup/backup-refused.ts";
import { errorText } from "@weft/engine/error-text.ts";
import { EXIT } from "../exit/exit-codes.ts";
import { writeLine } from "../io/command-io.ts";
import type { CommandIo } from "../io/command-io.ts";
import type { Settings } from "../settings/read-settings.ts";
import { VERSION } from "../settings/version.ts";

/** Copies a state folder into a new folder, even while its server is running. */
export async function backupCommand(settings: Settings): Promise<number> {
  const [target = ""] = settings.positionals;
  settings.io.umask(0o077);
  const withFiles = settings.isOn("with-files");
  try {
    const report = await backUpState({
      stateFolder: settings.stateFolder(),
      target: settings.resolve(target),
      withFiles,
      version: VERSION,
    });
    const what = withFiles ? `${report.files} files` : "the log";
    settings.io.stdout.write(`${target}: ${what} (${report.bytes} bytes), up to event ${report.lastSeq}\n`);
    return EXIT.success;
  } catch (error) {
    return refusedBackup(error, settings.io);
  }
}

/** Prints why a backup cannot be created or restored and returns the exit code; throws any other error again. */
export function refusedBackup(error: unknown, io: Pick<CommandIo, "stderr">): number {
  // Disk errors (full, access denied) are expected, too.
  const isDiskError = error instanceof Error && typeof (error as NodeJS.ErrnoException).code === "string";
  if (!(error instanceof BackupRefused) && !isDiskError) throw error;
  writeLine(io, `weft: ${errorText(error)}`);
  return EXIT.failure;
}

import { backUpState } from "@weft/engine/backup/back-up-state.ts";
import { EXIT } from "../exit/exit-codes.ts";
import type { Settings } from "../settings/read-settings.ts";
import { refusedBackup } from "../exit/refused-backup.ts";
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

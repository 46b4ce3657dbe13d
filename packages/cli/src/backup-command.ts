import { backUpState } from "@weft/engine/backup/back-up-state.ts";
import { EXIT } from "./exit-codes.ts";
import { readSettings } from "./read-settings.ts";
import { refusedBackup } from "./refused-backup.ts";
import { UsageError } from "./usage-error.ts";
import { VERSION } from "./version.ts";

const FLAGS = { state: { type: "string" }, "with-files": { type: "boolean" } } as const;

/** Copies a state folder into a new folder; its server may be working. */
export async function backupCommand(args: readonly string[]): Promise<number> {
  const settings = readSettings(args, FLAGS);
  const [target, ...more] = settings.positionals;
  if (target === undefined || more.length > 0) throw new UsageError("backup needs one folder to write to");
  process.umask(0o077);
  const withFiles = settings.isOn("with-files");
  try {
    const report = await backUpState({
      stateFolder: settings.text("state") ?? ".weft",
      target,
      withFiles,
      version: VERSION,
    });
    const what = withFiles ? `${report.files} files` : "the log";
    process.stdout.write(`${target}: ${what} (${report.bytes} bytes), up to event ${report.lastSeq}\n`);
    return EXIT.success;
  } catch (error) {
    return refusedBackup(error);
  }
}

import { countText } from "@weft/shared/text/count-text.ts";
import { restoreState } from "@weft/engine/backup/restore-state.ts";
import { EXIT } from "../exit/exit-codes.ts";
import type { Settings } from "../settings/read-settings.ts";
import { refusedBackup } from "./backup-command.ts";
import { UsageError } from "../exit/usage-error.ts";

/** Creates a new state folder from a backup. */
export async function restoreCommand(settings: Settings): Promise<number> {
  const [backup = ""] = settings.positionals;
  const stateFolder = settings.text("state");
  if (stateFolder === undefined) throw new UsageError("restore requires --state DIR, the folder to create");
  settings.io.umask(0o077);
  try {
    const { created, runs, openRuns, files, withFiles } = await restoreState(
      settings.resolve(backup),
      settings.stateFolder(),
    );
    settings.io.stdout.write(`${stateFolder}: as of ${created}: ${runs} runs, ${files} files, all checked\n`);
    if (openRuns > 0) settings.io.stdout.write(openRunsText(openRuns, withFiles));
    return EXIT.success;
  } catch (error) {
    return refusedBackup(error, settings.io);
  }
}

function openRunsText(count: number, withFiles: boolean): string {
  const had = `${countText(count, "run")} had not ended`;
  return withFiles
    ? `${had}: the next server continues from there; jobs that were running start again\n`
    : `${had}: this backup has no files, so the next server ends those with an error that need what earlier jobs wrote\n`;
}

import { countText } from "@weft/shared/text/count-text.ts";
import { restoreState } from "@weft/engine/backup/restore-state.ts";
import { EXIT, UsageError } from "../exit/exit.ts";
import type { Settings } from "../settings/read-settings.ts";

/** Creates a new state folder from a backup. */
export async function restoreCommand(settings: Settings): Promise<number> {
  const { io, positionals, resolve } = settings;
  const [backup = ""] = positionals;
  const stateFolder = settings.text("state");
  if (stateFolder === undefined) throw new UsageError("restore requires --state DIR, the folder to create");
  io.umask(0o077);
  const { created, runs, openRuns, files, withFiles } = await restoreState(resolve(backup), resolve(stateFolder));
  const counts = `${countText(runs, "run")}, ${countText(files, "file")}`;
  io.stdout.write(`${stateFolder}: as of ${created}: ${counts}, all checked\n`);
  if (openRuns > 0) io.stdout.write(openRunsText(openRuns, withFiles));
  return EXIT.success;
}

function openRunsText(count: number, withFiles: boolean): string {
  const had = `${countText(count, "run")} had not finished`;
  return withFiles
    ? `${had}: the next server continues from there; jobs that were running start again\n`
    : `${had}: this backup has no files, so those that need files of earlier jobs fail when a server resumes them\n`;
}

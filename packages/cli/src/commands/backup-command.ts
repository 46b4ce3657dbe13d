import { backUpState } from "@weft/engine/backup/back-up-state.ts";
import { countText } from "@weft/shared/text/count-text.ts";
import { EXIT } from "../exit/exit.ts";
import type { Settings } from "../settings/read-settings.ts";
import { VERSION } from "../settings/version.ts";

/** Copies a state folder into a new folder, even while its server is running. */
export async function backupCommand(settings: Settings): Promise<number> {
  const { io, positionals, resolve } = settings;
  const [target = ""] = positionals;
  io.umask(0o077);
  const withFiles = settings.isOn("with-files");
  const places = { stateFolder: settings.stateFolder(), target: resolve(target) };
  const report = await backUpState({ ...places, withFiles, version: VERSION });
  const what = withFiles ? countText(report.files, "file") : "the log";
  io.stdout.write(`${target}: ${what} (${report.bytes} bytes), up to event ${report.lastSeq}\n`);
  return EXIT.success;
}

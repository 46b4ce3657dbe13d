import { attemptFoldersOf } from "../../files/attempt-folder.ts";
import type { Log } from "../../log.ts";
import { MACHINE_CLOCK } from "../tracker.ts";
import { TesClient } from "./tes-client.ts";
import { TesExecutor } from "./tes-executor.ts";
import { DEFAULT_TES } from "./tes-settings.ts";
import type { TesSettings } from "./tes-settings.ts";

/** A TES server by its base URL. Sends no request before the first job. */
export function openTesExecutor(
  settings: TesSettings = DEFAULT_TES,
  { runsFolder, log }: { readonly runsFolder: string; readonly log: Log },
): TesExecutor {
  return new TesExecutor({
    settings,
    client: new TesClient(settings),
    clock: MACHINE_CLOCK,
    log,
    attemptFolders: (place) => attemptFoldersOf(runsFolder, place),
  });
}

import { migrateState, tryMigration, undoMigration } from "@weft/engine/state/migrate-state.ts";
import type { MigrationTrial } from "@weft/engine/state/migrate-state.ts";
import { EXIT } from "../exit/exit-codes.ts";
import { UsageError } from "../exit/usage-error.ts";
import { refusedByState } from "../server/refused-by-state.ts";
import type { Settings } from "../settings/read-settings.ts";

/** Migrates a state folder to this version, does a trial migration, or undoes the migration. */
export async function migrateCommand(settings: Settings): Promise<number> {
  const place = settings.text("state") ?? ".weft";
  const folder = settings.stateFolder();
  const [isTrial, isUndo] = [settings.isOn("check"), settings.isOn("undo")];
  if (isTrial && isUndo) throw new UsageError("--check and --undo exclude each other");
  settings.io.umask(0o077);
  try {
    const text = isTrial ? trialText(tryMigration(folder)) : isUndo ? await undo(folder) : await migrate(folder);
    settings.io.stdout.write(`${place}: ${text}\n`);
    return EXIT.success;
  } catch (error) {
    return refusedByState(error, settings.io);
  }
}

function trialText({ from, to, program, events, runs, bytes, durationMs }: MigrationTrial): string {
  const by = program === undefined ? "" : `, used by Weft ${program}`;
  const state = `schema version ${from}${by}: ${runs} runs, ${events} events, ${(bytes / 1e6).toFixed(1)} MB`;
  if (durationMs === undefined) return `${state}\nNo migration is needed.`;
  const seconds = (durationMs / 1000).toFixed(1);
  return `${state}\nThe migration to version ${to} works: a copy took ${seconds} s. Nothing was changed.`;
}

async function migrate(place: string): Promise<string> {
  const migrated = await migrateState(place);
  if (migrated === undefined) return "no migration is needed";
  const { from, to, copy } = migrated;
  return `migrated from schema version ${from} to ${to}\nThe log from before is in ${copy}.`;
}

async function undo(place: string): Promise<string> {
  const { version, events, newer } = await undoMigration(place);
  return `back at schema version ${version} with ${events} events\nThe newer log is in ${newer}.`;
}

import { LOG_FEATURES } from "@weft/engine/app/features.ts";
import { rebuildState } from "@weft/engine/state/rebuild-state.ts";
import { countText } from "@weft/shared/text/count-text.ts";
import { EXIT } from "../exit/exit.ts";
import { writeLine } from "../io/command-io.ts";
import type { Settings } from "../settings/read-settings.ts";

/** The number of events between two reports of progress. */
const SAY_EVERY = 100_000;

/** Rebuilds the tables of a state folder from its log. */
export async function rebuildCommand(settings: Settings): Promise<number> {
  const { io } = settings;
  io.umask(0o077);
  let reported = 0;
  const onProgress = (done: number, total: number) => {
    if (done - reported < SAY_EVERY) return;
    reported = done;
    writeLine(io, `weft: ${done} of ${total} events`);
  };
  const options = { features: LOG_FEATURES, onProgress };
  const { events, unreadable } = await rebuildState(settings.stateFolder(), options);
  io.stdout.write(`${settings.text("state") ?? ".weft"}: rebuilt the tables from ${countText(events, "event")}\n`);
  if (unreadable.length === 0) return EXIT.success;
  const first = `the first is event ${unreadable[0]} (weft verify)`;
  writeLine(io, `weft: skipped ${unreadable.length} damaged events, ${first}`);
  return EXIT.failure;
}

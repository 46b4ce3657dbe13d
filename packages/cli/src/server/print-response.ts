import { EXIT } from "../exit/exit-codes.ts";
import type { Settings } from "../settings/read-settings.ts";
import { askServer } from "./ask-server.ts";
import type { Connection } from "./ask-server.ts";
import { refusedByState } from "./refused-by-state.ts";

/** Sends a request to the server of the state folder and prints the response. */
export async function printResponse(
  settings: Settings,
  act: (connection: Connection) => Promise<string>,
): Promise<number> {
  try {
    settings.io.stdout.write(await askServer(settings.stateFolder(), act));
    return EXIT.success;
  } catch (error) {
    return refusedByState(error, settings.io);
  }
}

/** A line of a table for people and programs. */
export function line(cells: readonly string[]): string {
  return `${cells.join("\t")}\n`;
}

export function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

import { Command } from "commander";
import type { Flag } from "../flag.ts";
import { readSettings } from "../read-settings.ts";
import type { Settings } from "../read-settings.ts";

/** The settings of a command that has these flags. */
export function settingsOf(flags: readonly Flag[], ...args: readonly string[]): Settings {
  const command = new Command().exitOverride().allowExcessArguments();
  for (const flag of flags) command.addOption(flag);
  return readSettings(command.parse(args, { from: "user" }));
}

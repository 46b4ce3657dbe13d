import { Command } from "commander";
import type { Flag } from "../settings/flag.ts";
import { readSettings, type Settings } from "../settings/read-settings.ts";
import { openIo } from "./run-in-process.ts";

/** The settings of a command that has these flags. */
export function settingsOf(flags: readonly Flag[], ...args: readonly string[]): Settings {
  return settingsIn({}, flags, args);
}

/** The settings if the environment has these variables. */
export function settingsIn(env: NodeJS.ProcessEnv, flags: readonly Flag[], args: readonly string[]): Settings {
  const command = new Command()
    .exitOverride()
    .allowExcessArguments()
    .configureOutput({ writeErr: () => {} });
  for (const flag of flags) command.addOption(flag);
  return readSettings(command.parse(args, { from: "user" }), openIo({ env }).io);
}

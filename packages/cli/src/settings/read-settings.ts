import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Command, type Option } from "commander";
import type { CommandIo } from "../io/command-io.ts";
import { Flag } from "./flag.ts";
import { UsageError } from "../exit/exit.ts";
import { errorText } from "@weft/engine/error-text.ts";

export interface Settings {
  /** Resources that the command may use. */
  readonly io: CommandIo;
  readonly positionals: readonly string[];
  text(flag: string): string | undefined;
  /** The absolute path that a flag names. */
  path(flag: string): string | undefined;
  /** The absolute form of a path that the user gave. */
  readonly resolve: (path: string) => string;
  /** The absolute path of the state folder. */
  stateFolder(): string;
  /** The absolute path of the state folder, which must exist: a mistyped one must not be created. */
  knownState(): string;
  list(flag: string): readonly string[];
  isOn(flag: string): boolean;
  /** A whole number, at least `least`. */
  count(flag: string, least: number): number | undefined;
  /** The value of a key in weft.config.json, unchanged. */
  section(key: string): unknown;
  /** The flags of the command. */
  readonly options: readonly Option[];
  /** These settings plus the flags in `words`, which take precedence. Throws for words that are not flags of the command. */
  with(words: readonly string[]): Settings;
}

const CONFIG_FILE = "weft.config.json";

/** Reads flags from the command line, else from `WEFT_…` variables, else from weft.config.json in the current folder. */
export function readSettings(command: Command, io: CommandIo): Settings {
  return settingsFrom({ io, given: command.optsWithGlobals(), options: command.options, positionals: command.args });
}

interface Given {
  readonly io: CommandIo;
  readonly given: Readonly<Record<string, unknown>>;
  readonly options: readonly Option[];
  readonly positionals: readonly string[];
}

function settingsFrom({ io, given, options, positionals }: Given): Settings {
  const lists = new Set(options.flatMap((option) => (option instanceof Flag && option.isList ? option.name() : [])));
  const file = readConfigFile(io);
  const value = (flag: string): unknown => given[flag] ?? fromEnvironment(io, flag, lists.has(flag)) ?? file[flag];
  const text = (flag: string): string | undefined => {
    const found = value(flag);
    if (found === undefined || typeof found === "string") return found;
    if (typeof found === "number") return String(found);
    throw new UsageError(`--${flag} must be a single string`);
  };
  const path = (flag: string): string | undefined => {
    const named = text(flag);
    return named === undefined ? undefined : resolve(io.cwd, named);
  };
  const stateFolder = () => path("state") ?? resolve(io.cwd, ".weft");
  return {
    io,
    positionals,
    options,
    text,
    path,
    resolve: (named) => resolve(io.cwd, named),
    stateFolder,
    knownState: () => {
      if (existsSync(join(stateFolder(), "weft.db"))) return stateFolder();
      throw new UsageError(
        `${text("state") ?? ".weft"} is not a state folder of Weft; set --state, or start the server once`,
      );
    },
    list: (flag) => toList(flag, value(flag)),
    isOn: (flag) => value(flag) === true || value(flag) === "true" || value(flag) === "1",
    count: (flag, least) => toCount(flag, text(flag), least),
    section: (key) => file[key],
    with: (words) =>
      settingsFrom({ io, given: { ...given, ...parseFlags(words, options, given) }, options, positionals }),
  };
}

/** Reads flags from words. A flag that may be repeated adds to its values in `before`. */
function parseFlags(
  words: readonly string[],
  options: readonly Option[],
  before: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const command = new Command()
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .helpOption(false);
  for (const option of options) {
    command.addOption(option);
    if (option instanceof Flag && option.isList) command.setOptionValue(option.attributeName(), before[option.name()]);
  }
  return command.parse(words, { from: "user" }).opts();
}

function fromEnvironment({ env }: CommandIo, flag: string, isList: boolean): string | readonly string[] | undefined {
  const text = env[`WEFT_${flag.toUpperCase().replaceAll("-", "_")}`];
  if (text === undefined || text === "") return undefined;
  return isList ? text.split(",") : text;
}

function readConfigFile({ cwd }: CommandIo): Readonly<Record<string, unknown>> {
  const path = resolve(cwd, CONFIG_FILE);
  if (!existsSync(path)) return {};
  try {
    const content: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (typeof content === "object" && content !== null && !Array.isArray(content))
      return content as Readonly<Record<string, unknown>>; // just checked
    throw new UsageError(`${CONFIG_FILE} must contain a JSON object`);
  } catch (error) {
    throw new UsageError(`${CONFIG_FILE}: ${errorText(error)}`);
  }
}

function toList(flag: string, value: unknown): readonly string[] {
  if (value === undefined) return [];
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.map((item) => {
    if (typeof item !== "string") throw new UsageError(`--${flag} must be a list of strings`);
    return item;
  });
}

function toCount(flag: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text) && Number(text) >= least) return Number(text);
  throw new UsageError(`--${flag} must be a whole number of at least ${least}, not "${text}"`);
}

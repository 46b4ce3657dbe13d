import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Command, type Option } from "commander";
import type { CommandIo } from "../io/command-io.ts";
import { suggest } from "@weft/cwl/suggest.ts";
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
  /** A whole number from `least` to `most`. */
  count(flag: string, least: number, most?: number): number | undefined;
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
  return settingsFrom({ io, command, file: readConfigFile(io, command), given: command.optsWithGlobals() });
}

interface Given {
  readonly io: CommandIo;
  readonly command: Command;
  /** The content of weft.config.json. */
  readonly file: Readonly<Record<string, unknown>>;
  /** The flags on the command line. */
  readonly given: Readonly<Record<string, unknown>>;
}

function settingsFrom({ io, command, file, given }: Given): Settings {
  const { options, args: positionals } = command;
  const lists = new Set(options.flatMap((option) => (option instanceof Flag && option.isList ? option.name() : [])));
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
    isOn: (flag) => toSwitch(flag, value(flag)),
    count: (flag, ...range) => toCount(flag, text(flag), ...range),
    section: (key) => file[key],
    with: (words) => settingsFrom({ io, command, file, given: { ...given, ...parseFlags(words, options, given) } }),
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

/** Refuses a key that no command has as an option: a misspelled `private-runs` must not show runs to everyone. */
function readConfigFile({ cwd }: CommandIo, command: Command): Readonly<Record<string, unknown>> {
  const path = resolve(cwd, CONFIG_FILE);
  if (!existsSync(path)) return {};
  try {
    const content: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (typeof content !== "object" || content === null || Array.isArray(content))
      throw new UsageError("it must contain a JSON object");
    const known = new Set([...flagNames(command), "slurm", "tes"]);
    const unknown = Object.keys(content).find((key) => !known.has(key));
    if (unknown === undefined) return content as Readonly<Record<string, unknown>>; // just checked
    const near = suggest(unknown, known);
    throw new UsageError(`there is no option "${unknown}"${near === undefined ? "" : `; did you mean "${near}"?`}`);
  } catch (error) {
    throw new UsageError(`${CONFIG_FILE}: ${errorText(error)}`);
  }
}

/** The names of the flags of all commands. */
function flagNames({ parent, options, commands }: Command, isTop = parent === null): readonly string[] {
  if (!isTop && parent !== null) return flagNames(parent);
  return [...options.map((option) => option.name()), ...commands.flatMap((one) => flagNames(one, true))];
}

function toList(flag: string, value: unknown): readonly string[] {
  if (value === undefined) return [];
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.map((item) => {
    if (typeof item !== "string") throw new UsageError(`--${flag} must be a list of strings`);
    return item;
  });
}

/** Refuses anything else, such as "yes": it must not silently turn a protection off. */
function toSwitch(flag: string, value: unknown = false): boolean {
  const text = String(value);
  if (/^(?:true|false|1|0)$/.test(text)) return text === "true" || text === "1";
  throw new UsageError(`--${flag} must be true or false, not "${text}"`);
}

function toCount(flag: string, text: string | undefined, least: number, most = Infinity) {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
  const range = most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new UsageError(`--${flag} must be a whole number ${range}, not "${text}"`);
}

/** The choice that a text is. Throws UsageError if there is no such choice. */
export function oneOf<Choice extends string>(
  flag: string,
  text: string | undefined,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((known) => known === text);
  if (choice !== undefined) return choice;
  const found = text === undefined ? "" : `, not "${text}"`;
  throw new UsageError(`--${flag} must be one of ${choices.join(", ")}${found}`);
}

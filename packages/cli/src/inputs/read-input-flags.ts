import { matchesType } from "@weft/cwl/check/check-type.ts";
import { resolveInputObject } from "@weft/cwl/document/resolve-input-object.ts";
import { neverGiveWay } from "@weft/cwl/give-way.ts";
import { checkObject } from "@weft/cwl/values/checked-value.ts";
import { typeText } from "@weft/cwl/model/type-text.ts";
import type { CwlType } from "@weft/cwl/model/cwl-type.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import { parseJson, wholeNumber } from "@weft/shared/json/exact-json.ts";
import { DEFAULT_LIMITS } from "@weft/shared/limits.ts";
import { UsageError } from "../exit/exit.ts";
import { shownPointer } from "@weft/cwl/values/input-problem.ts";
import { flagParts } from "../settings/split-words.ts";
import { findFlag, flagName, isSwitch, type InputFlag } from "./input-flags.ts";

export interface FileLookup {
  /** The folder that relative paths start from, with a trailing slash. */
  readonly baseUri: string;
  /** The absolute address of a file that the user named by a path or an address. */
  readonly addressOf: (text: string) => string;
  readonly exists: (text: string) => boolean;
}

type Values = { [name: string]: unknown };

/**
 * The values that flags such as `--message hi` give to inputs, with `record.field` values in their records, and the words
 * that are not flags. Throws UsageError for unknown flags and wrong values.
 */
export async function readInputFlags(
  words: readonly string[],
  flags: readonly InputFlag[],
  files: FileLookup,
): Promise<{ readonly values: CwlObject; readonly words: readonly string[] }> {
  const values: Values = Object.create(null);
  const others: string[] = [];
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [name, inline] = flagParts(word) ?? [];
    if (name === undefined) {
      others.push(word);
      continue;
    }
    const found = findFlag(flags, name);
    if (found === undefined) throw new UsageError(unknownFlag(word, flags));
    const { flag, isOff } = found;
    const isBare = isSwitch(flag) && inline === undefined;
    const value = isBare ? true : readValue(word, inline ?? rest.shift(), flag, files);
    put(values, flag, isOff ? value !== true : value);
  }
  return { values: await checked(values, files), words: others };
}

function readValue(word: string, text: string | undefined, { type }: InputFlag, files: FileLookup): unknown {
  if (text === undefined) throw new UsageError(`${word} requires a value of type ${typeText(type)}`);
  const value = valueOf(text, type, files);
  if (value === undefined) throw new UsageError(`${word.split("=")[0]}: "${text}" is not of type ${typeText(type)}`);
  return value;
}

function unknownFlag(word: string, flags: readonly InputFlag[]): string {
  const names = flags.map((flag) => `--${flagName(flag)}`);
  const known = names.length === 0 ? "the document has no inputs" : `inputs of the document: ${names.join(" ")}`;
  return `unknown option ${word.split("=")[0]}; ${known}`;
}

/** A list grows with each flag; any other value can be given once. Throws UsageError. */
function put(values: Values, { path, type }: InputFlag, value: unknown): void {
  let holder = values;
  for (const name of path.slice(0, -1)) {
    const inner = Object.hasOwn(holder, name) ? holder[name] : undefined;
    // Only this function puts records there.
    holder = holder[name] = (typeof inner === "object" && inner !== null ? inner : Object.create(null)) as Values;
  }
  const last = path.at(-1) ?? "";
  holder[last] = Object.hasOwn(holder, last) ? joined(holder[last], value, type) : value;
  if (holder[last] === undefined)
    throw new UsageError(`--${path.join(".")} is given twice; its type is ${typeText(type)}`);
}

/** The list of both values, if the type has one; otherwise undefined. */
function joined(before: unknown, value: unknown, type: CwlType): unknown {
  const isList = (type.kind === "union" ? type.options : [type]).some(({ kind }) => kind === "array");
  if (!isList) return undefined;
  const list = [before, value].flatMap((item): unknown[] => (Array.isArray(item) ? item : [item]));
  return inRange(list, type);
}

async function checked(values: Values, { baseUri }: FileLookup): Promise<CwlObject> {
  const { values: sound, problems } = await resolveInputObject(values, {
    baseUri,
    limits: DEFAULT_LIMITS,
    giveWay: neverGiveWay,
  });
  const [problem] = problems;
  if (problem !== undefined) throw new UsageError(`--${shownPointer(problem.pointer)}: ${problem.message}`);
  return sound;
}

const WHOLE = /^[+-]?\d+$/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** Reads a string as a value of a type; undefined if it does not fit. An array gets one item. */
function valueOf(text: string, type: CwlType, files: FileLookup): unknown {
  switch (type.kind) {
    case "null":
      return text === "null" ? null : undefined;
    case "boolean":
      return text === "true" ? true : text === "false" ? false : undefined;
    case "int":
    case "long":
      return WHOLE.test(text) ? inRange(wholeNumber(text), type) : undefined;
    case "float":
    case "double":
      return NUMBER.test(text) ? Number(text) : undefined;
    case "string":
      return text;
    case "enum":
      return type.symbols.includes(text) ? text : undefined;
    case "File":
    case "Directory":
      return { class: type.kind, location: files.addressOf(text) };
    case "Any":
      return keepsText(parseJson(text), text) ? parseJson(text) : text;
    case "array":
      return arrayOf(text, type, files);
    case "record":
      return inRange(parseJson(text), type);
    case "union":
      return firstOf(text, type.options, files);
  }
}

function arrayOf(text: string, type: Extract<CwlType, { kind: "array" }>, files: FileLookup): unknown {
  const list = text.trimStart().startsWith("[") ? inRange(parseJson(text), type) : undefined;
  if (list !== undefined) return list;
  const item = valueOf(text, type.items, files);
  return item === undefined ? undefined : [item];
}

/** The value if it fits the type. */
function inRange(value: unknown, type: CwlType): unknown {
  const sound = value === undefined ? undefined : checkObject({ value }, DEFAULT_LIMITS).values["value"];
  return sound === undefined || !matchesType(type, sound) ? undefined : value;
}

/** Tries numbers before strings, and a file only if it exists or no other type fits. */
function firstOf(text: string, options: readonly CwlType[], files: FileLookup): unknown {
  const takesText = options.some(({ kind }) => kind === "string" || kind === "Any");
  const ordered = options.toSorted((a, b) => rankOf(a, text, files) - rankOf(b, text, files));
  for (const option of ordered) {
    const value = valueOf(text, option, files);
    if (value !== undefined && !(takesText && !keepsText(value, text))) return value;
  }
  return undefined;
}

/** False for a number that would lose characters, such as `007` or `1.10`, which stays a string if the type allows one. */
function keepsText(value: unknown, text: string): boolean {
  if (value === undefined) return false;
  return (typeof value !== "number" && typeof value !== "bigint") || String(value) === text;
}

const RANKS: readonly (readonly CwlType["kind"][])[] = [
  ["null", "boolean", "int", "long"],
  ["float", "double", "enum"],
  ["record", "array"],
];

function rankOf({ kind }: CwlType, text: string, { exists }: FileLookup): number {
  if (kind === "string" || kind === "Any") return RANKS.length + 1;
  if (kind === "File" || kind === "Directory") return exists(text) ? RANKS.length : RANKS.length + 2;
  return RANKS.findIndex((kinds) => kinds.includes(kind));
}

import type { Option } from "commander";
import { UsageError } from "../exit/exit.ts";
import { flagParts } from "../settings/split-words.ts";
import { RUNNER_FLAGS, SHORT_FLAGS, type RunnerFlag } from "./runner-flags.ts";

/** A command line of `weft` with the effect of a command line of the reference runner. */
export interface Translation {
  readonly words: readonly string[];
  /** Flags without effect, each once, with the reason. */
  readonly notices: readonly string[];
}

interface Reading {
  /** Words of `weft run` in front of the document. */
  readonly run: string[];
  /** The other command that was requested, if any. */
  command: readonly string[] | undefined;
  readonly details: string[];
  readonly notices: Set<string>;
}

/** Flags that select a part of a workflow work with `pack` too. */
const PART = new Set(["--target", "--single-step", "--single-process"]);

/**
 * Translates a reference runner's command line. Its flags precede the document; later words belong to the document.
 * `options`: those of `weft run`, which are accepted as well.
 */
export function translateWords(args: readonly string[], options: readonly Option[]): Translation {
  const reading: Reading = { run: [], command: undefined, details: [], notices: new Set() };
  const rest = [...args];
  for (let word = rest[0]; word !== undefined && word !== "-" && word.startsWith("-"); word = rest[0]) {
    rest.shift();
    readFlag(word, rest, options, reading);
  }
  return { words: commandLine(reading, rest), notices: [...reading.notices] };
}

function readFlag(word: string, rest: string[], options: readonly Option[], reading: Reading): void {
  const [given = "", inline] = flagParts(word) ?? [];
  const name = word.startsWith("--") ? given : (SHORT_FLAGS[given] ?? given);
  if (name === "help") {
    reading.command = ["help"];
    return;
  }
  const flag = findFlag(name);
  const option = flag === undefined ? options.find(({ long }) => long === `--${name}`) : undefined;
  if (flag === undefined && option === undefined) throw new UsageError(`unknown option ${word}`);
  const takesValue = flag?.takesValue ?? option?.required ?? false;
  const value = takesValue ? (inline ?? rest.shift()) : undefined;
  if (takesValue && value === undefined) throw new UsageError(`${word} requires a value`);
  const values = value === undefined ? [] : [value];
  if (flag === undefined) reading.run.push(`--${name}`, ...values);
  else apply(flag, values, reading);
}

/** Finds a flag by its name or an unambiguous prefix, as the reference runner does. */
function findFlag(name: string): RunnerFlag | undefined {
  const exact = RUNNER_FLAGS.find((flag) => flag.name === name);
  if (exact !== undefined) return exact;
  const found = RUNNER_FLAGS.filter((flag) => name !== "" && flag.name.startsWith(name));
  if (found.length < 2) return found[0];
  throw new UsageError(`ambiguous option --${name}: ${found.map((flag) => `--${flag.name}`).join(" ")}`);
}

function apply({ name, meaning }: RunnerFlag, values: readonly string[], reading: Reading): void {
  switch (meaning.kind) {
    case "run":
      reading.run.push(...meaning.words, ...(name === "eval-timeout" ? values.map(wholeSeconds) : values));
      break;
    case "command":
      if (reading.command === undefined || reading.command[0] === "pack") reading.command = meaning.words;
      break;
    case "detail":
      reading.details.push(meaning.word, ...values);
      break;
    case "none":
      reading.notices.add(`--${name} has no effect: ${meaning.why}`);
      break;
    case "refused":
      throw new UsageError(`--${name}: ${meaning.why}`);
    case "always":
  }
}

/** Rounds fractions up, because the reference runner accepts them. */
function wholeSeconds(text: string): string {
  return /^\d*\.\d+$/.test(text) ? String(Math.max(1, Math.ceil(Number(text)))) : text;
}

function commandLine({ run, command, details }: Reading, rest: readonly string[]): readonly string[] {
  const [name, ...words] = command ?? ["run"];
  const [document, inputs] = rest;
  const subject = document === undefined ? [] : [document];
  switch (name) {
    case "run":
      return ["run", ...run, ...rest];
    case "help":
      return document === undefined ? ["--help"] : ["run", document, "--help"];
    case "deps":
      return [name, ...words, ...details, ...subject];
    case "input-deps":
      if (inputs === undefined || inputs.startsWith("-"))
        throw new UsageError("--print-input-deps requires an input object");
      return ["deps", ...words, ...details, inputs];
    case "pack":
      return [name, ...partOf(run), ...subject];
    default:
      return [name ?? "", ...words, ...subject];
  }
}

function partOf(run: readonly string[]): readonly string[] {
  return run.filter((word, place) => PART.has(word) || PART.has(run[place - 1] ?? ""));
}

// Code that all imaging programs share: its arguments, its way to fail, its way to write numbers.
// Arguments come as --name=value in one word, so that a value beginning with "-" is still a value.

import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";

/** A fault of the inputs, told in one line; anything else that is thrown is a bug and shows its stack. */
export class ToolError extends Error {}

/** Runs a program: `options` as for node:util parseArgs, `main` gets the parsed values. Exit code 1 on failure. */
export async function runTool(options, main) {
  try {
    await main(parseArgs({ options, strict: true }).values);
  } catch (error) {
    const expected = error instanceof ToolError || typeof error.code === "string";
    process.stderr.write(`${expected ? error.message.replaceAll(/\s*\n\s*/g, " ") : error.stack}\n`);
    process.exitCode = 1;
  }
}

/** Progress goes to stderr: stdout belongs to results. */
export function say(text) {
  process.stderr.write(`${text}\n`);
}

/** The value of a required option. */
export function required(values, name) {
  const value = values[name];
  if (value === undefined || value === "") throw new ToolError(`--${name} is missing`);
  return value;
}

/** A finite number from an option, or undefined where the option is absent. */
export function optionalNumber(values, name) {
  if (values[name] === undefined) return undefined;
  const number = Number(values[name]);
  if (values[name].trim() === "" || !Number.isFinite(number)) {
    throw new ToolError(`--${name}: "${values[name]}" is not a number`);
  }
  return number;
}

/** A finite number from an option; `least` is the smallest one accepted. */
export function requiredNumber(values, name, least = -Infinity) {
  required(values, name);
  const number = optionalNumber(values, name);
  if (number < least) throw new ToolError(`--${name}: ${number} is too small, the minimum is ${least}`);
  return number;
}

/** Three positive numbers from a comma-separated option. */
export function requiredTriple(values, name) {
  const triple = required(values, name).split(",").map(Number);
  if (triple.length !== 3 || !triple.every((number) => number > 0 && Number.isFinite(number))) {
    throw new ToolError(`--${name}: "${values[name]}" is not three positive numbers`);
  }
  return triple;
}

/** A subject's id becomes part of file names: it must not leave the folder or hide the file. */
export function requiredSubject(values) {
  const subject = required(values, "subject");
  if (/^\.|[/\p{Cc}]/u.test(subject)) {
    throw new ToolError(`--subject: ${JSON.stringify(subject)} begins with "." or has "/" or a control character`);
  }
  return subject;
}

/** A number with at most `digits` decimals, as a number; null stays null. */
export function rounded(number, digits) {
  return number === null ? null : Number(number.toFixed(digits)) + 0;
}

export async function writeJson(path, value) {
  await writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
}

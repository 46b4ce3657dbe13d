import { jsonPointer } from "@weft/shared/json-pointer.ts";
import { wholeNumber } from "@weft/shared/json/exact-json.ts";
import type { CwlTypeRecord } from "@weft/shared/records/cwl-type.ts";
import type { InputRecord } from "@weft/shared/records/process-record.ts";
import { isFileValue, isObject } from "../../../format/value-text.ts";
import { acceptsNull, choicesOf, typeLabel } from "./cwl-type-facts.ts";
import type { FormPath } from "./form-store.ts";

/** A problem with the value at a JSON Pointer into the inputs. */
export interface FieldProblem {
  readonly pointer: string;
  readonly message: string;
}

const NO_INPUT = "This input is required";
const NO_VALUE = "Enter a value";

/** True if nothing has been entered yet where a value is required. */
export function isMissing({ message }: FieldProblem): boolean {
  return message === NO_INPUT || message === NO_VALUE;
}

/** Checks in the browser: required values, types and ranges. Only the server checks files. */
export function checkInputs(
  inputs: readonly InputRecord[],
  values: Readonly<Record<string, unknown>>,
): readonly FieldProblem[] {
  return inputs.flatMap((input) => {
    const value = values[input.id];
    if (value !== undefined && value !== null) return checkValue(input.type, value, [input.id]);
    return input.required ? [{ pointer: jsonPointer([input.id]), message: NO_INPUT }] : [];
  });
}

/** Compares one value with its type. */
export function checkValue(type: CwlTypeRecord, value: unknown, path: FormPath): readonly FieldProblem[] {
  if (value === null || value === undefined) return acceptsNull(type) ? [] : [problem(path, NO_VALUE)];
  switch (type.kind) {
    case "null":
      return [problem(path, "Leave this empty")];
    case "boolean":
      return typeof value === "boolean" ? [] : [problem(path, "Choose yes or no")];
    case "int":
    case "long":
      return checkWhole(type.kind, value, path);
    case "float":
    case "double":
      return isNumeric(value) ? [] : [problem(path, `${shown(value)} is not a number`)];
    case "string":
      return typeof value === "string" ? [] : [problem(path, `${shown(value)} is not text`)];
    case "File":
    case "Directory":
      return checkFile(type.kind, value, path);
    case "Any":
      return [];
    case "enum":
      return type.symbols.some((symbol) => symbol === value)
        ? []
        : [problem(path, `${shown(value)} is not one of ${type.symbols.join(", ")}`)];
    case "array":
      return Array.isArray(value)
        ? value.flatMap((entry, place) => checkValue(type.items, entry, [...path, place]))
        : [problem(path, "Expected a list")];
    case "record":
      return checkRecord(type, value, path);
    case "union":
      return checkUnion(type, value, path);
  }
}

function checkWhole(kind: "int" | "long", value: unknown, path: FormPath): readonly FieldProblem[] {
  if (!isNumeric(value) || (typeof value === "number" && !Number.isInteger(value)))
    return [problem(path, `${shown(value)} is not a whole number`)];
  const limit = kind === "int" ? 2 ** 31 : 2 ** 63;
  // A `bigint` has at most 64 bits.
  if (value >= limit || value < -limit || value === -(2 ** 63))
    return [problem(path, kind === "int" ? `${value} is out of range for int` : LONG_RANGE)];
  if (typeof value === "bigint" || Number.isSafeInteger(value)) return [];
  return [problem(path, "Write the number with all its digits, without an exponent or a decimal point")];
}

const LONG_RANGE = `A long is a whole number from ${-(2n ** 63n)} to ${2n ** 63n - 1n}`;

function checkFile(kind: "File" | "Directory", value: unknown, path: FormPath): readonly FieldProblem[] {
  const noun = kind === "File" ? "file" : "folder";
  if (!isFileValue(value) || value.class !== kind) return [problem(path, `Expected a ${noun}`)];
  const isThere = value.location || value.path || value.contents !== undefined || value.listing !== undefined;
  return isThere ? [] : [problem(path, `Choose a ${noun}`)];
}

type RecordType = Extract<CwlTypeRecord, { kind: "record" }>;

function checkRecord(type: RecordType, value: unknown, path: FormPath): readonly FieldProblem[] {
  if (!isObject(value)) return [problem(path, "Expected a record")];
  const known = new Set(type.fields.map(({ name }) => name));
  const extra = Object.keys(value).filter((name) => !known.has(name));
  return [
    ...type.fields.flatMap((field) => checkValue(field.type, value[field.name], [...path, field.name])),
    ...extra.map((name) => problem([...path, name], `Unknown field: ${name}`)),
  ];
}

function checkUnion(type: CwlTypeRecord, value: unknown, path: FormPath): readonly FieldProblem[] {
  const choices = choicesOf(type);
  const results = choices.map((choice) => checkValue(choice, value, path));
  if (results.some((problems) => problems.length === 0)) return [];
  const likely = choices.findIndex((choice) => hasShapeOf(choice, value));
  return results[choices.length === 1 ? 0 : likely] ?? [problem(path, `Expected ${choices.map(typeLabel).join(", ")}`)];
}

/** True if the value has the shape of this type, even if its details are invalid. */
export function hasShapeOf(type: CwlTypeRecord, value: unknown): boolean {
  switch (type.kind) {
    case "File":
    case "Directory":
      return isFileValue(value) && value.class === type.kind;
    case "array":
      return Array.isArray(value);
    case "record":
      return isObject(value) && !isFileValue(value);
    case "int":
    case "long":
    case "float":
    case "double":
      return isNumeric(value);
    case "boolean":
      return typeof value === "boolean";
    case "enum":
      return type.symbols.some((symbol) => symbol === value);
    case "string":
      return typeof value === "string";
    case "Any":
      return true;
    case "null":
      return value === null;
    case "union":
      return type.options.some((option) => hasShapeOf(option, value));
  }
}

function isNumeric(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

function problem(path: FormPath, message: string): FieldProblem {
  return { pointer: jsonPointer(path), message };
}

function shown(value: unknown): string {
  const text = typeof value === "string" ? `"${value}"` : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** The text as a number (`12`, `-0.5`, `1e-3`), or the text itself if it is not a number. Whole numbers keep their digits. */
export function parseNumber(text: string): number | bigint | string {
  const trimmed = text.trim();
  if (/^[+-]?\d+$/.test(trimmed)) return wholeNumber(trimmed);
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : text;
}

/**
 * Entries of a list from pasted text: one per line or spreadsheet cell; numbers may also be separated by commas.
 * Undefined if the text is a single entry, or entries of this type cannot be written as text.
 */
export function pastedEntries(items: CwlTypeRecord, text: string): readonly unknown[] | undefined {
  const read = entryReader(items);
  if (read === undefined) return undefined;
  const between = items.kind === "string" || items.kind === "enum" ? /\r?\n|\t/ : /\r?\n|[\t,;]/;
  const parts = text
    .replace(/(\r?\n)+$/, "")
    .split(between)
    .map((part) => part.trim());
  return parts.length < 2 ? undefined : parts.map(read);
}

/**
 * Parser for one entry, if its type can be written as text. Invalid text stays text, and the form refuses it on
 * submission.
 */
export function entryReader(type: CwlTypeRecord): ((part: string) => unknown) | undefined {
  switch (type.kind) {
    case "string":
    case "enum":
      return (part) => part;
    case "int":
    case "long":
    case "float":
    case "double":
      return parseNumber;
    case "boolean":
      return (part) => (/^(true|yes)$/i.test(part) ? true : /^(false|no)$/i.test(part) ? false : part);
    default:
      return undefined;
  }
}

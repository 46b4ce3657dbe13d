import { suggest } from "../suggest.ts";
import { typeText } from "../model/type-text.ts";
import type { ArrayType, CwlType, EnumType, PrimitiveKind, RecordType } from "../model/cwl-type.ts";
import type { CwlObject, CwlValue, FileOrDirectory } from "../model/cwl-value.ts";
import { pointerTo, type InputProblem } from "../values/input-problem.ts";
import { MAX_PROBLEMS, ProblemList } from "../values/problem-list.ts";
import { fieldOf, isArray, isDirectory, isFile, isRecord, kindText } from "../values/value-kind.ts";

const INT_MIN = -(2 ** 31);
const INT_MAX = 2 ** 31 - 1;
const LONG_MIN = -(2n ** 63n);
const LONG_MAX = 2n ** 63n - 1n;

/** True if a value matches a type; warnings are ignored. */
export function matchesType(type: CwlType, value: CwlValue): boolean {
  return checkType(type, value, "").every(({ severity }) => severity !== "error");
}

/** Checks a value against a type. Returns the first 1,000 problems, each with a JSON pointer that starts with `pointer`. */
export function checkType(type: CwlType, value: CwlValue, pointer: string): readonly InputProblem[] {
  switch (type.kind) {
    case "array":
      return checkArray(type, value, pointer);
    case "record":
      return checkRecord(type, value, pointer);
    case "enum":
      return checkEnum(type, value, pointer);
    case "union":
      return checkUnion(type.options, value, pointer);
    default:
      return checkPrimitive(type.kind, value, pointer);
  }
}

/** A check without allocations that accepts most elements of long lists. All other elements need `checkType`. */
function isFittingScalar(type: CwlType, value: CwlValue): boolean {
  if (typeof value === "object" && value !== null) return false;
  switch (type.kind) {
    case "union":
      return type.options.some((option) => isFittingScalar(option, value));
    case "null":
      return value === null;
    case "Any":
      return value !== null;
    case "boolean":
    case "string":
      return typeof value === type.kind;
    case "float":
    case "double":
      return typeof value === "number" || typeof value === "bigint";
    default:
      return false;
  }
}

function checkPrimitive(kind: PrimitiveKind, value: CwlValue, pointer: string): readonly InputProblem[] {
  switch (kind) {
    case "null":
      return value === null ? [] : [wrongType({ kind }, value, pointer)];
    case "Any":
      return value === null ? [missing({ kind }, pointer)] : [];
    case "boolean":
    case "string":
      return typeof value === kind ? [] : [wrongType({ kind }, value, pointer)];
    case "int":
    case "long":
      return checkInteger(kind, value, pointer);
    case "float":
    case "double":
      return isFittingScalar({ kind }, value) ? [] : [wrongType({ kind }, value, pointer)];
    case "File":
      return isFile(value) ? checkFileValue(value, pointer) : [wrongType({ kind }, value, pointer)];
    case "Directory":
      return isDirectory(value) ? checkFileValue(value, pointer) : [wrongType({ kind }, value, pointer)];
  }
}

/** Refuses a number beyond 2^53 that is not a `bigint`: it was not written as a whole number, so it may have lost digits. */
function checkInteger(kind: "int" | "long", value: CwlValue, pointer: string): readonly InputProblem[] {
  if (typeof value !== "bigint" && !isWhole(value)) return [wrongType({ kind }, value, pointer)];
  const problem = { severity: "error", pointer, code: "out-of-range" } as const;
  if (kind === "int") {
    const message = `${value} is not an int; the range is ${INT_MIN} to ${INT_MAX}`;
    return value >= INT_MIN && value <= INT_MAX ? [] : [{ ...problem, message }];
  }
  return typeof value === "bigint" || Number.isSafeInteger(value) ? [] : [{ ...problem, ...longProblem(value) }];
}

function isWhole(value: CwlValue): value is number {
  return typeof value === "number" && Number.isInteger(value);
}

function longProblem(value: number): Pick<InputProblem, "message" | "hint"> {
  if (Math.abs(value) >= 2 ** 63)
    return {
      message: `the number is not a long; the range is ${LONG_MIN} to ${LONG_MAX}`,
      hint: "declare the input as a `string` if all digits matter, or as a `double`",
    };
  return {
    message: `the number may have lost digits: JavaScript calculates exactly only up to ${Number.MAX_SAFE_INTEGER}`,
    hint: "write all digits of the number, without an exponent; expressions can only pass such a number on: `$(inputs.name)`",
  };
}

function checkEnum(type: EnumType, value: CwlValue, pointer: string): readonly InputProblem[] {
  if (typeof value === "string" && type.symbols.includes(value)) return [];
  if (typeof value !== "string") return [wrongType(type, value, pointer)];
  const symbols = type.symbols.map((symbol) => `\`${symbol}\``).join(", ");
  const near = suggest(value, type.symbols);
  const message = `\`${value}\` is none of ${symbols}`;
  const hint = near === undefined ? {} : { hint: `did you mean \`${near}\`?` };
  return [{ severity: "error", pointer, code: "unknown-symbol", message, ...hint }];
}

function checkArray(type: ArrayType, value: CwlValue, pointer: string): readonly InputProblem[] {
  if (!isArray(value)) return [wrongType(type, value, pointer)];
  const found = new ProblemList();
  for (const [index, item] of value.entries()) {
    if (isFittingScalar(type.items, item)) continue;
    found.addAll(checkType(type.items, item, pointerTo(pointer, index)));
    if (found.isFull) break;
  }
  return found.problems;
}

function checkRecord(type: RecordType, value: CwlValue, pointer: string): readonly InputProblem[] {
  if (!isRecord(value)) return [wrongType(type, value, pointer)];
  const found = new ProblemList();
  for (const field of type.fields) {
    const inner = fieldOf(value, field.name) ?? null;
    const at = pointerTo(pointer, field.name);
    if (inner === null && !matchesType(field.type, null)) found.add(missing(field.type, at, `field \`${field.name}\``));
    else found.addAll(checkType(field.type, inner, at));
  }
  found.addAll(unknownFields(type, value, pointer));
  return found.problems;
}

function unknownFields(type: RecordType, value: CwlObject, pointer: string): readonly InputProblem[] {
  const known = new Set(type.fields.map(({ name }) => name));
  return Object.keys(value)
    .filter((name) => !known.has(name) && name !== "class")
    .slice(0, MAX_PROBLEMS)
    .map((name) => {
      const message = `the record has no field \`${name}\``;
      return { severity: "warning", pointer: pointerTo(pointer, name), code: "unknown-field", message } as const;
    });
}

/** The option of a union that fits a value best; among records, the one with the fewest unknown fields. Undefined if none fits. */
export function fittingOption(options: readonly CwlType[], value: CwlValue): CwlType | undefined {
  return bestAttempt(options.map((option) => ({ option, problems: checkType(option, value, "") })))?.option;
}

interface UnionAttempt {
  readonly option: CwlType;
  readonly problems: readonly InputProblem[];
}

function bestAttempt(attempts: readonly UnionAttempt[]): UnionAttempt | undefined {
  const fitting = attempts.filter(({ problems }) => problems.every(({ severity }) => severity !== "error"));
  return fitting.toSorted((a, b) => a.problems.length - b.problems.length)[0];
}

/** If no option fits, the errors of the option with the same shape are the most helpful. */
function checkUnion(options: readonly CwlType[], value: CwlValue, pointer: string): readonly InputProblem[] {
  const attempts = options.map((option) => ({ option, problems: checkType(option, value, pointer) }));
  const best = bestAttempt(attempts);
  if (best !== undefined) return best.problems;
  const near = attempts.filter(({ problems }) =>
    problems.every((problem) => problem.pointer !== pointer || problem.code !== "wrong-type"),
  );
  const [nearest] = near.toSorted((a, b) => a.problems.length - b.problems.length);
  return nearest?.problems ?? [wrongType({ kind: "union", options }, value, pointer)];
}

function missing(type: CwlType, pointer: string, name = "a value"): InputProblem {
  return { severity: "error", pointer, code: "missing", message: `${name} of type ${typeText(type)} is required` };
}

function wrongType(type: CwlType, value: CwlValue, pointer: string): InputProblem {
  const message = `expected ${typeText(type)}, found ${foundText(value)}`;
  const problem: InputProblem = { severity: "error", pointer, code: "wrong-type", message };
  const hint = typeHint(type, value);
  return hint === undefined ? problem : { ...problem, hint };
}

function foundText(value: CwlValue): string {
  if (typeof value === "boolean") return `the boolean ${value}`;
  if (typeof value !== "string") return kindText(value);
  return `the text ${JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)}`;
}

/** Does not repeat the value, because the strings `007`, `1.10` and `1e5` differ from the numbers 7, 1.1 and 100000. */
export const QUOTE_HINT = "write it in quotes, with all its characters";

function typeHint(type: CwlType, value: CwlValue): string | undefined {
  if (type.kind === "union")
    return type.options.map((option) => typeHint(option, value)).find((hint) => hint !== undefined);
  if (type.kind === "array" && value !== null && matchesType(type.items, value)) return "put the value into a list";
  const isFileType = type.kind === "File" || type.kind === "Directory";
  if (isFileType && isRecord(value)) return `its \`class\` must be \`${type.kind}\``;
  if ((typeof value === "number" || typeof value === "bigint") && type.kind === "string") return QUOTE_HINT;
  if (typeof value !== "string") return undefined;
  const isNumber = value.trim() !== "" && Number.isFinite(Number(value));
  if (isNumber && ["int", "long", "float", "double"].includes(type.kind)) return `write ${value} without quotes`;
  if (type.kind === "boolean") return truthHint(value);
  return isFileType ? `write {"class": "${type.kind}", "location": ${JSON.stringify(value)}}` : undefined;
}

/** Words that were booleans in YAML 1.1 are text since YAML 1.2. */
export function truthHint(word: unknown): string | undefined {
  const written = String(word).toLowerCase();
  if (["yes", "on", "y", "true"].includes(written)) return "write `true`, without quotation marks";
  return ["no", "off", "n", "false"].includes(written) ? "write `false`, without quotation marks" : undefined;
}

/**
 * Checks that a File or Directory, and each one inside it, says where its content is. `checkValue` checks everything else.
 * CWL v1.2 CommandLineTool.html#File, #Directory.
 */
function checkFileValue(value: FileOrDirectory, pointer: string): readonly InputProblem[] {
  const field = value.class === "File" ? "secondaryFiles" : "listing";
  const members = (value.class === "File" ? value.secondaryFiles : value.listing) ?? [];
  const at = pointerTo(pointer, field);
  const found = new ProblemList();
  found.addAll(checkAddress(value, pointer));
  for (const [index, member] of members.entries()) {
    if (found.isFull) break;
    found.addAll(checkFileValue(member, pointerTo(at, index)));
  }
  return found.problems;
}

function checkAddress(value: FileOrDirectory, pointer: string): readonly InputProblem[] {
  const literal = value.class === "File" ? value.contents : value.listing;
  if ((value.location ?? value.path ?? literal) !== undefined) return [];
  const field = value.class === "File" ? "contents" : "listing";
  const message = `this ${value.class} has neither \`location\` nor \`path\` nor \`${field}\``;
  return [{ severity: "error", pointer, code: "invalid-file", message }];
}

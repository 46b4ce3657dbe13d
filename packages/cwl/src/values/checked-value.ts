/**
 * The only way to turn untrusted JSON (requests, input objects, documents, results of expressions, `cwl.output.json`,
 * crates) into a `CwlValue`. Checks every File and Directory, at any depth and for any declared type: a type such as Any
 * says nothing about the content of a value, but its Files are still staged and published.
 */
import { CwlFailure, type CwlFailureCode } from "../cwl-failure.ts";
import { limitExceeded, type CwlLimits } from "../limits.ts";
import type { CwlObject, CwlValue } from "../model/cwl-value.ts";
import { toSafeName } from "../model/safe-name.ts";
import { pointerTo, shownPointer, type InputProblem } from "./input-problem.ts";
import { MAX_PROBLEMS } from "./problem-list.ts";
import { fileUriProblem } from "./file-uri.ts";

export type ValueLimits = Pick<CwlLimits, "valueItems" | "valueDepth" | "nameBytes">;

export interface ValueCheck {
  /** The value with null in place of its invalid parts. */
  readonly value: CwlValue;
  /** The first 1,000 problems, with pointers relative to the value. */
  readonly problems: readonly ValueProblem[];
}

export interface ValueProblem extends Pick<InputProblem, "pointer" | "message" | "hint"> {
  /** True for an exceeded limit, absent for an invalid value. */
  readonly isLimit?: true;
}

/** Checks a value from outside, except for its type. Does not copy the valid parts of the value. */
export function checkValue(raw: unknown, limits: ValueLimits): ValueCheck {
  if (isScalar(raw)) return { value: raw, problems: [] };
  const check = new Check(limits);
  try {
    return { value: check.value(raw, undefined, 0), problems: check.problems };
  } catch (error) {
    if (error !== TOO_MUCH) throw error;
    return { value: null, problems: check.problems };
  }
}

/** Checks an input or output object: a map from names to values, never a File itself. */
export function checkObject(
  raw: RawObject,
  limits: ValueLimits,
): { readonly values: CwlObject; readonly problems: readonly ValueProblem[] } {
  const check = new Check(limits);
  const values: [string, CwlValue][] = [];
  try {
    for (const [name, value] of Object.entries(raw))
      values.push([name, check.value(value, { parent: undefined, key: name }, 0)]);
  } catch (error) {
    if (error !== TOO_MUCH) throw error;
  }
  return { values: Object.fromEntries(values), problems: check.problems };
}

interface Origin {
  readonly limits: ValueLimits;
  /** The code of the failure, except for an exceeded limit, which is always LIMIT_EXCEEDED. */
  readonly code: CwlFailureCode;
  /** The path of the field that failures name: `outputs.report`, `steps.smooth.in.fwhm.valueFrom`. */
  readonly place?: string | undefined;
}

/** Returns a value from outside once it is checked. Throws a CwlFailure for the first problem. */
export function checkedValue(raw: unknown, origin: Origin): CwlValue {
  const { value, problems } = checkValue(raw, origin.limits);
  const [first] = problems;
  if (first === undefined) return value;
  throw failureOf(first, problems.length - 1, origin);
}

/** Returns an input or output object from outside once it is checked. Throws a CwlFailure for the first problem. */
export function checkedObject(raw: unknown, origin: Origin): CwlObject {
  if (!isObject(raw)) throw failureOf({ pointer: "", message: "expected one JSON object" }, 0, origin);
  const { values, problems } = checkObject(raw, origin.limits);
  const [first] = problems;
  if (first === undefined) return values;
  throw failureOf(first, problems.length - 1, origin);
}

function failureOf(problem: ValueProblem, others: number, { code, place }: Origin): CwlFailure {
  const { pointer, message, hint, isLimit } = problem;
  const where = pointer === "" ? "" : `${shownPointer(pointer)}: `;
  const more = others === 0 ? "" : ` (and ${others} more)`;
  return new CwlFailure(isLimit === true ? "LIMIT_EXCEEDED" : code, `${where}${message}${more}`, {
    ...(place === undefined ? {} : { place }),
    ...(hint === undefined ? {} : { hint }),
  });
}

/** Thrown to stop the check. */
const TOO_MUCH = Symbol("too much");

/** Fields of a File or Directory that accept any text. */
const PLAIN_TEXTS: ReadonlySet<string> = new Set([
  "class",
  "dirname",
  "nameroot",
  "nameext",
  "checksum",
  "format",
  "contents",
]);
const TEXT_FIELDS: ReadonlySet<string> = new Set(["location", "path", "basename", ...PLAIN_TEXTS]);
const MEMBERS = { File: "secondaryFiles", Directory: "listing" } as const;

/** A position in the value, which becomes a pointer only if there is a problem. */
interface Place {
  readonly parent: Place | undefined;
  readonly key: string | number;
}

type RawObject = { readonly [key: string]: unknown };

class Check {
  readonly problems: ValueProblem[] = [];
  readonly #limits: ValueLimits;
  #items = 0;

  constructor(limits: ValueLimits) {
    this.#limits = limits;
  }

  /** Recursive: `valueDepth` limits the depth. */
  value(raw: unknown, at: Place | undefined, depth: number): CwlValue {
    if (isScalar(raw)) return raw;
    if (depth > this.#limits.valueDepth) return this.#exceeded("valueDepth", "the nesting of the value", at);
    if (Array.isArray(raw)) return this.#list(raw, at, depth);
    if (isObject(raw)) return this.#object(raw, at, depth);
    return this.#wrong(at, typeof raw === "number" ? "a number must be finite" : "this is not a JSON value");
  }

  #list(raw: readonly unknown[], at: Place | undefined, depth: number): readonly CwlValue[] {
    this.#count(raw.length, at);
    let copy: CwlValue[] | undefined;
    for (let index = 0; index < raw.length; index++) {
      const item = raw[index];
      const value = isScalar(item) ? item : this.value(item, { parent: at, key: index }, depth + 1);
      if (copy === undefined && value !== item) copy = raw.slice(0, index) as CwlValue[]; // all earlier items were checked
      copy?.push(value);
    }
    return copy ?? (raw as readonly CwlValue[]); // every element was checked and is unchanged
  }

  #object(raw: RawObject, at: Place | undefined, depth: number): CwlObject {
    const keys = Object.keys(raw);
    this.#count(keys.length, at);
    const kind = fileClassOf(raw);
    let copy: [string, CwlValue][] | undefined;
    for (const [index, key] of keys.entries()) {
      const field = raw[key];
      const value = isPlain(field, key, kind) ? field : this.#field(field, { at, key, depth }, kind);
      if (copy === undefined && value !== field)
        copy = keys.slice(0, index).map((before) => [before, raw[before] as CwlValue]); // all earlier fields were checked
      if (value !== undefined) copy?.push([key, value]);
    }
    return copy === undefined ? (raw as CwlObject) : Object.fromEntries(copy); // every field was checked and is unchanged
  }

  #field(field: unknown, place: FieldPlace, kind: FileClass | undefined): CwlValue | undefined {
    const { at, key, depth } = place;
    if (kind !== undefined && (key === "size" || key === MEMBERS[kind] || TEXT_FIELDS.has(key)))
      return this.#fileField(field, place, kind);
    if (key === "__proto__") return this.#wrong({ parent: at, key }, "a field cannot have this name");
    return isScalar(field) ? field : this.value(field, { parent: at, key }, depth + 1);
  }

  /** Null and invalid values count as absent. CWL v1.2 CommandLineTool.html#File, #Directory. */
  #fileField(field: unknown, { at, key, depth }: FieldPlace, kind: FileClass): CwlValue | undefined {
    if (field === null) return undefined;
    const problem = this.#problemOf(field, key, kind);
    if (problem !== undefined) {
      this.#report({ ...problem, pointer: pointerOf({ parent: at, key }) });
      return undefined;
    }
    const inner = { parent: at, key };
    if (!Array.isArray(field)) return this.value(field, inner, depth + 1);
    // Members add one level of nesting, not two.
    return this.#members(field, inner) ? this.#list(field, inner, depth) : undefined;
  }

  #problemOf(field: unknown, key: string, kind: FileClass): Omit<ValueProblem, "pointer"> | undefined {
    if (key === "size")
      return typeof field === "number" && Number.isSafeInteger(field) && field >= 0
        ? undefined
        : { message: "`size` must be a number of bytes" };
    if (key === MEMBERS[kind])
      return Array.isArray(field) ? undefined : { message: `\`${key}\` must be a list of File and Directory objects` };
    if (typeof field !== "string") return { message: `\`${key}\` must be a string` };
    if (key === "basename") return this.#nameProblem(field, kind);
    if ((key === "location" || key === "path") && field.includes("\0"))
      return { message: `\`${key}\` contains a NUL character` };
    // A lone surrogate becomes U+FFFD in a file name, which would name another file.
    if ((key === "location" || key === "path") && !field.isWellFormed())
      return { message: `\`${key}\` contains half of a character (a lone surrogate)` };
    const unusable = key === "location" && /^file:/i.test(field) ? fileUriProblem(field) : undefined;
    return unusable === undefined ? undefined : { message: unusable };
  }

  #nameProblem(name: string, kind: FileClass): Omit<ValueProblem, "pointer"> | undefined {
    if (toSafeName(name) === undefined)
      return {
        message: `\`${shown(name)}\` cannot be the name of a ${kind}`,
        hint: "make `basename` a single name: not empty, not `.` or `..`, and without `/`",
      };
    // UTF-8 has at most three bytes for each UTF-16 code unit.
    const isShort = name.length * 3 <= this.#limits.nameBytes;
    if (isShort || new TextEncoder().encode(name).length <= this.#limits.nameBytes) return undefined;
    return this.#limitProblem("nameBytes", `the length of the name \`${shown(name)}\``);
  }

  #members(members: readonly unknown[], at: Place): boolean {
    let areFiles = true;
    for (const [index, member] of members.entries()) {
      if (isObject(member) && fileClassOf(member) !== undefined) continue;
      areFiles = false;
      this.#wrong({ parent: at, key: index }, "this must be a File or Directory object");
    }
    return areFiles;
  }

  #count(items: number, at: Place | undefined): void {
    this.#items += items;
    if (this.#items <= this.#limits.valueItems) return;
    this.#exceeded("valueItems", "the number of values", at);
    throw TOO_MUCH;
  }

  #exceeded(limit: keyof ValueLimits, what: string, at: Place | undefined): null {
    this.#report({ ...this.#limitProblem(limit, what), pointer: pointerOf(at) });
    return null;
  }

  #limitProblem(limit: keyof ValueLimits, what: string): Omit<ValueProblem, "pointer"> {
    const { message, hint } = limitExceeded(limit, this.#limits, { what });
    return { message, isLimit: true, ...(hint === undefined ? {} : { hint }) };
  }

  #wrong(at: Place | undefined, message: string): null {
    this.#report({ message, pointer: pointerOf(at) });
    return null;
  }

  #report(problem: ValueProblem): void {
    this.problems.push(problem);
    if (this.problems.length >= MAX_PROBLEMS) throw TOO_MUCH;
  }
}

interface FieldPlace {
  readonly at: Place | undefined;
  readonly key: string;
  readonly depth: number;
}

type FileClass = "File" | "Directory";

function fileClassOf(object: RawObject): FileClass | undefined {
  const kind = Object.hasOwn(object, "class") ? object["class"] : undefined;
  return kind === "File" || kind === "Directory" ? kind : undefined;
}

/** True for fields that need no further check. This applies to most fields, so the test must be fast. */
function isPlain(field: unknown, key: string, kind: FileClass | undefined): field is Scalar {
  if (kind !== undefined) return typeof field === "string" && PLAIN_TEXTS.has(key);
  return isScalar(field) && key !== "__proto__";
}

type Scalar = null | boolean | number | bigint | string;

function isScalar(raw: unknown): raw is Scalar {
  return (
    raw === null ||
    typeof raw === "string" ||
    typeof raw === "boolean" ||
    (typeof raw === "bigint" && isLargeLong(raw)) ||
    (typeof raw === "number" && Number.isFinite(raw))
  );
}

/** True for a `bigint` that a value may contain: it needs more than 53 bits, but not more than 64. */
function isLargeLong(raw: bigint): boolean {
  return BigInt.asIntN(64, raw) === raw && !Number.isSafeInteger(Number(raw));
}

export function isObject(raw: unknown): raw is RawObject {
  return typeof raw === "object" && raw !== null && !Array.isArray(raw);
}

function pointerOf(place: Place | undefined): string {
  return place === undefined ? "" : pointerTo(pointerOf(place.parent), place.key);
}

const SHOWN_CHARACTERS = 80;

/** A name from outside for a message, with control characters escaped and shortened if it is long. */
function shown(name: string): string {
  const cut = name.length > SHOWN_CHARACTERS ? `${name.slice(0, SHOWN_CHARACTERS)}…` : name;
  return JSON.stringify(cut.toWellFormed()).slice(1, -1);
}

import { fittingOption } from "./check-type.ts";
import { pointerTo } from "../values/input-problem.ts";
import type { ArrayType, CwlType, RecordType } from "../model/cwl-type.ts";
import type { CwlValue, FileOrDirectory } from "../model/cwl-value.ts";
import type { InputParameter } from "../model/process.ts";
import type { GiveWay } from "../give-way.ts";
import { fieldOf, isArray, isFileOrDirectory, isObject } from "../values/value-kind.ts";

/** Declarations of a parameter or record field about the Files and Directories in its value. */
export type FileRule = Pick<InputParameter, "secondaryFiles" | "format" | "loadContents" | "loadListing">;

/** A value with its type and rule, and its position in the whole value. */
export interface TypedValue {
  readonly value: CwlValue;
  readonly type: CwlType;
  readonly rule: FileRule;
  readonly pointer: string;
}

/** Replaces a File or Directory in a value. Not called for Files and Directories nested inside another one. */
export type FileVisitor = (value: FileOrDirectory, rule: FileRule, pointer: string) => Promise<CwlValue>;

/**
 * A value with each of its Files and Directories replaced. A record's fields have their own rules; arrays and
 * unions pass theirs on. If the type says nothing (Any), the shape of the value decides.
 */
export async function mapFiles(typed: TypedValue, visit: FileVisitor, giveWay: GiveWay): Promise<CwlValue> {
  const { value, type, rule, pointer } = typed;
  if (isScalar(value)) return value;
  const due = giveWay();
  if (due !== undefined) await due;
  if (isFileOrDirectory(value)) return visit(value, rule, pointer);
  const fitting = type.kind === "union" ? fittingOption(type.options, value) : type;
  if (isArray(value)) return mapItems({ ...typed, value }, itemType(fitting), { visit, giveWay });
  return mapFields(typed, fitting?.kind === "record" ? fitting : undefined, { visit, giveWay });
}

interface Walk {
  readonly visit: FileVisitor;
  readonly giveWay: GiveWay;
}

function isScalar(value: CwlValue): value is null | boolean | number | bigint | string {
  return typeof value !== "object" || value === null;
}

const ANY: CwlType = { kind: "Any" };

function itemType(type: CwlType | undefined): CwlType {
  return type?.kind === "array" ? type.items : ANY;
}

async function mapItems(
  typed: TypedValue & { readonly value: readonly CwlValue[] },
  items: ArrayType["items"],
  { visit, giveWay }: Walk,
) {
  if (!holdsFiles(items)) return typed.value;
  const mapped: CwlValue[] = [];
  for (const [index, value] of typed.value.entries()) {
    const inner = () => ({ value, type: items, rule: typed.rule, pointer: pointerTo(typed.pointer, index) });
    mapped.push(isScalar(value) ? value : await mapFiles(inner(), visit, giveWay));
  }
  return mapped;
}

async function mapFields(typed: TypedValue, type: RecordType | undefined, { visit, giveWay }: Walk): Promise<CwlValue> {
  if (!isObject(typed.value)) return typed.value;
  const names = new Set([...Object.keys(typed.value), ...(type?.fields.map(({ name }) => name) ?? [])]);
  const mapped: [string, CwlValue][] = [];
  for (const name of names) {
    const value = fieldOf(typed.value, name) ?? null;
    if (isScalar(value)) {
      mapped.push([name, value]);
      continue;
    }
    const field = type?.fields.find((candidate) => candidate.name === name);
    const inner = {
      value,
      type: field?.type ?? ANY,
      rule: field ?? typed.rule,
      pointer: pointerTo(typed.pointer, name),
    };
    mapped.push([name, await mapFiles(inner, visit, giveWay)]);
  }
  return Object.fromEntries(mapped);
}

/** False if a value of the type cannot hold a File or Directory, so that long lists of numbers are not copied. */
function holdsFiles(type: CwlType): boolean {
  switch (type.kind) {
    case "array":
      return holdsFiles(type.items);
    case "union":
      return type.options.some(holdsFiles);
    case "record":
    case "File":
    case "Directory":
    case "Any":
      return true;
    default:
      return false;
  }
}

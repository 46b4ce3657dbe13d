import type { CwlType } from "@weft/cwl/model/cwl-type.ts";
import type { CwlValue } from "@weft/cwl/model/cwl-value.ts";
import type { InputParameter } from "@weft/cwl/model/process.ts";
import type { InputFlagKind } from "../settings/split-words.ts";

/** A flag for one input of a document, or for one field of a record: `--sample.name`. */
export interface InputFlag {
  /** The input, and the fields down to the value. */
  readonly path: readonly string[];
  /** The type of the value, without `null`. */
  readonly type: CwlType;
  readonly isRequired: boolean;
  readonly doc: string | undefined;
  /** The default; undefined if there is none. */
  readonly default: CwlValue | undefined;
}

type Parameter = Pick<InputParameter, "type" | "doc" | "label" | "default">;

/** The flags of a document, in the order of its inputs. A record has one for itself, as JSON, and one for each field. */
export function inputFlags(inputs: readonly InputParameter[]): readonly InputFlag[] {
  return inputs.flatMap((input) => flagsBelow(input, [input.id], input.default != null));
}

function flagsBelow(parameter: Parameter, path: readonly string[], isGiven: boolean): readonly InputFlag[] {
  const { type, isOptional } = withoutNull(parameter.type);
  const isRequired = !isOptional && !isGiven;
  const flag = { path, type, isRequired, doc: parameter.doc ?? parameter.label, default: parameter.default };
  if (type.kind !== "record") return [flag];
  return [flag, ...type.fields.flatMap((field) => flagsBelow(field, [...path, field.name], !isRequired))];
}

/** A type without `null`; a union if several types remain. */
export function withoutNull(type: CwlType): { readonly type: CwlType; readonly isOptional: boolean } {
  if (type.kind !== "union") return { type, isOptional: type.kind === "null" };
  const options = type.options.filter(({ kind }) => kind !== "null");
  const [only] = options;
  const isOptional = options.length < type.options.length;
  return { type: options.length === 1 && only !== undefined ? only : { kind: "union", options }, isOptional };
}

export function flagName({ path }: Pick<InputFlag, "path">): string {
  return path.join(".");
}

/** A boolean needs no value: `--fast`, or `--no-fast`. */
export function isSwitch({ type }: Pick<InputFlag, "type">): boolean {
  return type.kind === "boolean";
}

/** The flag with this name. Underscores may be written as dashes; `no-` before a switch turns it off. */
export function findFlag(
  flags: readonly InputFlag[],
  name: string,
): { readonly flag: InputFlag; readonly isOff: boolean } | undefined {
  const exact = flags.find((flag) => flagName(flag) === name) ?? flags.find((flag) => dashed(flagName(flag)) === name);
  if (exact !== undefined) return { flag: exact, isOff: false };
  const off = name.startsWith("no-") ? findFlag(flags, name.slice("no-".length)) : undefined;
  return off !== undefined && isSwitch(off.flag) && !off.isOff ? { flag: off.flag, isOff: true } : undefined;
}

function dashed(name: string): string {
  return name.replaceAll("_", "-");
}

export function flagKind(flags: readonly InputFlag[], name: string): InputFlagKind {
  const found = findFlag(flags, name);
  if (found === undefined) return "none";
  return isSwitch(found.flag) ? "switch" : "value";
}

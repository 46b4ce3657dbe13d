/**
 * Steps 1 to 3 of CWL v1.2 CommandLineTool.html#Input_binding: every binding of a tool with the value that it binds and
 * its sorting key. A binding on a parameter applies to the value as a whole (its prefix appears once), one on an array
 * type to each element, one on a record type to the record before its fields.
 */
import type { EvaluationContext, Evaluator } from "../expression/evaluate.ts";
import { CwlFailure } from "../cwl-failure.ts";
import { fittingOption } from "../check/check-type.ts";
import { fieldOf, isArray, isFileOrDirectory, isObject, kindText } from "../values/value-kind.ts";
import type { ArrayType, CwlType, RecordType } from "../model/cwl-type.ts";
import type { CwlObject, CwlValue } from "../model/cwl-value.ts";
import type { InputBinding } from "../model/binding.ts";
import type { CommandLineTool } from "../model/process.ts";
import type { GiveWay } from "../give-way.ts";
import type { SortKey } from "./sort-key.ts";

/** A binding and the value that it binds. */
export interface BoundValue {
  readonly binding: InputBinding;
  readonly value: CwlValue;
  readonly key: SortKey;
  /** The path of the field that failures name: `inputs.threads.inputBinding`. */
  readonly place: string;
}

export interface BindingContext {
  readonly evaluator: Evaluator;
  readonly context: Omit<EvaluationContext, "self">;
  readonly giveWay: GiveWay;
}

/** The binding of a list element if only the list has a binding. */
const PLAIN: InputBinding = { separate: true, shellQuote: true };

interface Bindable {
  readonly type: CwlType;
  readonly binding: InputBinding | undefined;
  readonly value: CwlValue;
  /** Name of the innermost parameter or field that contains the binding; breaks ties. */
  readonly name: string;
  /** Sorting key of the enclosing value. */
  readonly lead: SortKey;
  readonly place: string;
}

/** All bindings of a tool, unsorted. */
export async function collectBindings(
  tool: CommandLineTool,
  inputs: CwlObject,
  context: BindingContext,
): Promise<readonly BoundValue[]> {
  const bound: BoundValue[] = [];
  for (const [index, argument] of tool.arguments.entries()) {
    const binding = typeof argument === "string" ? { ...PLAIN, valueFrom: argument } : argument;
    const place = `arguments.${index}`;
    const position = await evaluatePosition(binding, null, place, context);
    bound.push({ binding, value: null, key: [position, index], place });
  }
  for (const { id, type, inputBinding } of tool.inputs) {
    const bindable = {
      type,
      binding: inputBinding,
      value: fieldOf(inputs, id) ?? null,
      name: id,
      lead: [],
      place: `inputs.${id}`,
    };
    append(bound, await bind(bindable, context));
  }
  return bound;
}

/** Appends items one by one: spreading them into one call could exceed the maximum number of arguments. */
function append(bound: BoundValue[], more: readonly BoundValue[]): void {
  for (const one of more) bound.push(one);
}

async function bind(bindable: Bindable, context: BindingContext): Promise<readonly BoundValue[]> {
  const { binding, value, lead } = bindable;
  if (value === null) return [];
  if (binding === undefined) return bindInside(bindable, lead, context);
  const own = await bindOwn(bindable, binding, context);
  return binding.valueFrom === undefined ? [own, ...(await bindInside(bindable, own.key, context))] : [own];
}

async function bindOwn(bindable: Bindable, binding: InputBinding, context: BindingContext): Promise<BoundValue> {
  const place = `${bindable.place}.inputBinding`;
  const position = await evaluatePosition(binding, bindable.value, place, context);
  return { binding, value: bindable.value, key: [...bindable.lead, position, bindable.name], place };
}

async function evaluatePosition(
  { position }: InputBinding,
  self: CwlValue,
  place: string,
  { evaluator, context }: BindingContext,
): Promise<number> {
  if (typeof position !== "string") return position ?? 0;
  const value = await evaluator.evaluate(position, { ...context, self }, { place: `${place}.position` });
  if (value === null) return 0;
  if (typeof value === "number" && Number.isInteger(value)) return value;
  throw new CwlFailure(
    "EXPRESSION",
    `\`position\` must be an integer, but the expression returned ${kindText(value)}`,
    {
      place: `${place}.position`,
    },
  );
}

/** The bindings within a value: elements, fields, and the value again if its type has its own binding. */
async function bindInside(bindable: Bindable, lead: SortKey, context: BindingContext): Promise<readonly BoundValue[]> {
  const type = effectiveType(bindable.type, bindable.value);
  switch (type.kind) {
    case "array":
      return bindElements(type, { ...bindable, lead }, context);
    case "record":
      return bindRecord(type, { ...bindable, lead }, context);
    case "enum":
      return type.inputBinding === undefined ? [] : [await bindOwn({ ...bindable, lead }, type.inputBinding, context)];
    default:
      return [];
  }
}

/** The option of a union that fits the value; for a list of type Any, an array of Any. */
function effectiveType(type: CwlType, value: CwlValue): CwlType {
  const fitting = type.kind === "union" ? (fittingOption(type.options, value) ?? type) : type;
  return fitting.kind === "Any" && isArray(value) ? { kind: "array", items: fitting } : fitting;
}

async function bindElements(type: ArrayType, outer: Bindable, context: BindingContext): Promise<readonly BoundValue[]> {
  if (!isArray(outer.value)) return [];
  const isListed = outer.binding !== undefined && outer.binding.itemSeparator === undefined;
  const binding = type.inputBinding ?? (isListed ? PLAIN : undefined);
  if (binding === undefined && isUnbound(type.items)) return [];
  const bound: BoundValue[] = [];
  for (const [index, value] of outer.value.entries()) {
    const due = context.giveWay();
    if (due !== undefined) await due;
    const element = {
      ...outer,
      type: type.items,
      binding,
      value,
      lead: [...outer.lead, index],
      place: `${outer.place}[${index}]`,
    };
    append(bound, await bind(element, context));
  }
  return bound;
}

/** True for types without bindings, whose values add nothing to the command line on their own. */
function isUnbound(type: CwlType): boolean {
  switch (type.kind) {
    case "array":
      return type.inputBinding === undefined && isUnbound(type.items);
    case "union":
      return type.options.every(isUnbound);
    case "record":
      return false;
    case "enum":
      return type.inputBinding === undefined;
    default:
      return true;
  }
}

async function bindRecord(type: RecordType, outer: Bindable, context: BindingContext): Promise<readonly BoundValue[]> {
  if (!isObject(outer.value) || isFileOrDirectory(outer.value)) return [];
  const own = type.inputBinding === undefined ? undefined : await bindOwn(outer, type.inputBinding, context);
  const bound: BoundValue[] = own === undefined ? [] : [own];
  for (const field of type.fields) {
    const value = fieldOf(outer.value, field.name) ?? null;
    const lead = own?.key ?? outer.lead;
    const bindable = {
      type: field.type,
      binding: field.inputBinding,
      value,
      name: field.name,
      lead,
      place: `${outer.place}.${field.name}`,
    };
    append(bound, await bind(bindable, context));
  }
  return bound;
}

import { CwlFailure } from "../cwl-failure.ts";
import { decimalText, jsonText } from "../expression/json-text.ts";
import { isArray, isFileOrDirectory } from "../values/value-kind.ts";
import type { CwlObject, CwlValue } from "../model/cwl-value.ts";
import type { InputBinding } from "../model/binding.ts";
import type { CommandLineTool } from "../model/process.ts";
import type { GiveWay } from "../give-way.ts";
import { collectBindings, type BindingContext, type BoundValue } from "./collect-bindings.ts";
import { quoteForShell } from "./quote-for-shell.ts";
import { compareSortKeys } from "./sort-key.ts";

const SORTED_AT_ONCE = 4096;

export interface CommandLineOptions extends BindingContext {
  readonly tool: CommandLineTool;
  /** Files and Directories have their `path`. */
  readonly inputs: CwlObject;
  /** ShellCommandRequirement: one line for a shell instead of a list of arguments. */
  readonly shell: boolean;
}

/**
 * The program and its arguments, as specified in CWL v1.2 CommandLineTool.html#Input_binding; with `shell` they are
 * `/bin/sh -c <line>`. Empty if the tool names no program.
 */
export async function buildCommandLine({
  tool,
  inputs,
  shell,
  ...context
}: CommandLineOptions): Promise<readonly string[]> {
  const bindings = await collectBindings(tool, inputs, context);
  const sorted = await sortInTurns(bindings, context.giveWay);
  const argv = [...tool.baseCommand];
  const words = tool.baseCommand.map(quoteForShell);
  for (const bound of sorted) {
    const due = context.giveWay();
    if (due !== undefined) await due;
    const added = await argumentsFor(bound, context);
    // Spreading the list into one call could exceed the maximum number of arguments.
    for (const argument of added) {
      argv.push(argument);
      if (shell) words.push(bound.binding.shellQuote ? quoteForShell(argument) : argument);
    }
  }
  await context.giveWay();
  const command = shell && words.length > 0 ? ["/bin/sh", "-c", words.join(" ")] : argv;
  const broken = command.find((argument) => argument.includes("\0"));
  if (broken === undefined) return command;
  throw new CwlFailure(
    "INPUT_INVALID",
    "an argument of the command line contains a NUL character, which cannot be passed to a program",
  );
}

const byKey = (a: BoundValue, b: BoundValue) => compareSortKeys(a.key, b.key);

/** Sorts like `toSorted`, but yields between parts that it then merges: sorting many bindings at once would block other work. */
async function sortInTurns(bindings: readonly BoundValue[], giveWay: GiveWay): Promise<readonly BoundValue[]> {
  if (bindings.length <= SORTED_AT_ONCE) return bindings.toSorted(byKey);
  const middle = bindings.length >> 1;
  const left = await sortInTurns(bindings.slice(0, middle), giveWay);
  const right = await sortInTurns(bindings.slice(middle), giveWay);
  const merged: BoundValue[] = [];
  let at = 0;
  for (const one of left) {
    const due = giveWay();
    if (due !== undefined) await due;
    for (let next = right[at]; next !== undefined && byKey(next, one) < 0; next = right[++at]) merged.push(next);
    merged.push(one);
  }
  return merged.concat(right.slice(at));
}

async function argumentsFor(bound: BoundValue, { evaluator, context }: BindingContext): Promise<readonly string[]> {
  const { binding, value, place } = bound;
  if (binding.valueFrom === undefined) return bindingArguments(binding, value, false);
  const effective = await evaluator.evaluate(
    binding.valueFrom,
    { ...context, self: value },
    { place: `${place}.valueFrom` },
  );
  return bindingArguments(binding, effective, true);
}

/**
 * The arguments that one binding adds. Elements and fields of a bound value have their own bindings, so the binding of the
 * whole value adds only its prefix. Expands a list that an expression returned.
 * CWL v1.2 CommandLineTool.html#CommandLineBinding.
 */
function bindingArguments(binding: InputBinding, value: CwlValue, isEvaluated: boolean): readonly string[] {
  const prefix = binding.prefix === undefined ? [] : [binding.prefix];
  if (value === null || value === false) return [];
  if (value === true) return prefix;
  if (isArray(value)) return listArguments(binding, value, isEvaluated);
  if (typeof value === "object" && !isFileOrDirectory(value)) return prefix;
  return withPrefix(binding, argumentText(value));
}

function listArguments(binding: InputBinding, items: readonly CwlValue[], isEvaluated: boolean): readonly string[] {
  if (items.length === 0) return [];
  if (binding.itemSeparator !== undefined)
    return withPrefix(binding, items.map(argumentText).join(binding.itemSeparator));
  const prefix = binding.prefix === undefined ? [] : [binding.prefix];
  return isEvaluated ? [...prefix, ...items.flatMap(elementArguments)] : prefix;
}

/** The arguments for an element of a list that an expression returned: expands nested lists, and omits null. */
function elementArguments(item: CwlValue): readonly string[] {
  if (item === null) return [];
  return isArray(item) ? item.flatMap(elementArguments) : [argumentText(item)];
}

function withPrefix({ prefix, separate }: InputBinding, text: string): readonly string[] {
  if (prefix === undefined) return [text];
  return separate ? [prefix, text] : [prefix + text];
}

function argumentText(value: CwlValue): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return decimalText(value);
  if (isFileOrDirectory(value)) return value.path ?? value.location ?? "";
  return jsonText(value);
}

/**
 * Evaluates expressions: strings of a document that contain `$(…)` or `${…}`. Resolves plain parameter references in
 * TypeScript; only real JavaScript goes to the ScriptEngine, and only if InlineJavascriptRequirement is in effect. CWL v1.2 CommandLineTool.html#Expressions, #Parameter_references.
 */
import type { Runtime } from "../model/job-plan.ts";
import { CwlFailure } from "../cwl-failure.ts";
import { checkedValue } from "../values/checked-value.ts";
import { isFileOrDirectory, isArray } from "../values/value-kind.ts";
import type { CwlLimits } from "../limits.ts";
import type { CwlObject, CwlValue } from "../model/cwl-value.ts";
import { isSinceVersion, type CwlVersion } from "../model/cwl-version.ts";
import type { RequirementSet } from "../model/effective-requirements.ts";
import { interpolatedText } from "./json-text.ts";
import { holdsExpression, parseTemplate, type Escaping, type ScriptPart, type TemplatePart } from "./parse-template.ts";
import { parseReference, resolveReference, type Reference } from "./resolve-reference.ts";
import type { ScriptEngine } from "./script-engine.ts";
import { selectVariables } from "./select-variables.ts";

export interface EvaluationContext {
  readonly inputs: CwlObject;
  readonly self: CwlValue;
  /** Absent if the specification gives no runtime (workflow steps); expressions then see an empty object. */
  readonly runtime?: Partial<Runtime>;
}

export interface EvaluationOptions {
  /** The path of the field that failures name, such as `steps.smooth.in.fwhm.valueFrom`. */
  readonly place?: string;
}

export interface Evaluator {
  /** Limits for every value of the process that contains the expressions. */
  readonly limits: CwlLimits;
  /**
   * The value of a field: evaluates a string with expressions, and returns anything else unchanged. The result of a single
   * expression, even with whitespace around it, keeps its type; several expressions or surrounding text yield a string.
   * Rejects with CwlFailure EXPRESSION or LIMIT_EXCEEDED. Checks the result of an expression like any value from outside.
   */
  evaluate(value: CwlValue, context: EvaluationContext, options?: EvaluationOptions): Promise<CwlValue>;
}

interface EvaluatorOptions {
  readonly script: ScriptEngine;
  readonly requirements: RequirementSet;
  /** The version of the document that contains the expressions; default: the newest rules. */
  readonly cwlVersion?: CwlVersion;
  readonly limits: CwlLimits;
}

export function createEvaluator({ script, requirements, cwlVersion = "v1.2", limits }: EvaluatorOptions): Evaluator {
  const escaping = isSinceVersion(cwlVersion, "v1.2") ? "brackets" : "any";
  const library = requirements.get("InlineJavascriptRequirement")?.expressionLib;
  return {
    limits,
    async evaluate(value, context, options = {}) {
      if (typeof value !== "string" || !holdsExpression(value)) return value;
      // The only catch: reports each failure with its position in the document.
      return await evaluateText(value, { context, script, library, escaping, limits }).catch((error: unknown) => {
        throw placedFailure(error, options.place);
      });
    },
  };
}

interface Evaluation {
  readonly context: EvaluationContext;
  readonly script: ScriptEngine;
  /** The texts of `expressionLib`; undefined if JavaScript is not allowed. */
  readonly library: readonly string[] | undefined;
  readonly escaping: Escaping;
  readonly limits: CwlLimits;
}

async function evaluateText(text: string, evaluation: Evaluation): Promise<CwlValue> {
  const { inputs, self, runtime = {} } = evaluation.context;
  // Runtime is a record of strings and numbers, which the compiler does not infer from the interface.
  const variables: CwlObject = { inputs, self, runtime };
  const parts = parseTemplate(text, evaluation.escaping);
  const single = singleExpression(parts);
  if (single !== undefined) return evaluatePart(single, variables, evaluation);
  const texts: string[] = [];
  for (const part of parts) texts.push(interpolatedText(await evaluatePart(part, variables, evaluation)));
  return texts.join("");
}

function singleExpression(parts: readonly TemplatePart[]): TemplatePart | undefined {
  const [only, second] = parts.filter((part) => part.form !== "text" || part.text.trim() !== "");
  return second === undefined && only?.form !== "text" ? only : undefined;
}

async function evaluatePart(
  part: TemplatePart,
  variables: CwlObject,
  { script, library, limits }: Evaluation,
): Promise<CwlValue> {
  if (part.form === "text") return part.text;
  const { form, code } = part;
  const reference = form === "expression" ? parseReference(code) : undefined;
  const resolved = reference === undefined ? undefined : resolveReference(reference, variables);
  if (resolved !== undefined && "value" in resolved) return composedValue(resolved.value, reference, limits);
  // `inputs.text.length` looks like a parameter reference but is JavaScript, so it works only where JavaScript is allowed.
  if (library === undefined) throw resolved?.failure ?? needsJavascript(part);
  const used = scriptNumbers(selectVariables([code, ...library], variables));
  const result = await script.run({ form, code, library, variables: used });
  return checkedValue(result, { limits, code: "EXPRESSION" });
}

/**
 * A reference yields part of a checked value, except for `inputs` as a whole: with parameters named `class` and `basename`,
 * it could pass for a File, so it is checked.
 */
function composedValue(value: CwlValue, reference: Reference | undefined, limits: CwlLimits): CwlValue {
  const isComposed = reference?.length === 1 && isFileOrDirectory(value);
  return isComposed ? checkedValue(value, { limits, code: "EXPRESSION" }) : value;
}

/** The failure for JavaScript if InlineJavascriptRequirement is not in effect. */
export function needsJavascript({ form, code }: Pick<ScriptPart, "form" | "code">): CwlFailure {
  const written = (form === "expression" ? `$(${code})` : `\${${code}}`).replaceAll(/\s+/g, " ");
  const shown = written.length > 60 ? `${written.slice(0, 60)}…` : written;
  return new CwlFailure(
    "EXPRESSION",
    `\`${shown}\` is not a parameter reference, and InlineJavascriptRequirement is not in effect`,
    {
      hint: "add `InlineJavascriptRequirement: {}` to the requirements, or write `\\$` where no expression is meant",
    },
  );
}

function placedFailure(error: unknown, place: string | undefined): CwlFailure {
  const known = error instanceof CwlFailure ? error : undefined;
  const message = error instanceof Error ? error.message : String(error);
  const where = known?.place ?? place;
  return new CwlFailure(known?.code === "LIMIT_EXCEEDED" ? known.code : "EXPRESSION", message, {
    cause: error,
    ...(where === undefined ? {} : { place: where }),
    ...(known?.hint === undefined ? {} : { hint: known.hint }),
  });
}

/**
 * The variables of a script, whose numbers are doubles: a `bigint` becomes a number if the conversion is exact. Otherwise
 * throws EXPRESSION, because the script would silently calculate with another number. Returns the variables themselves if
 * they contain no `bigint`.
 */
function scriptNumbers(variables: CwlObject): CwlObject {
  return convertFields(variables, undefined);
}

/** A position in the variables, which becomes text only if there is a failure. */
interface Place {
  readonly parent: Place | undefined;
  readonly key: string | number;
}

function convert(value: CwlValue, at: Place): CwlValue {
  if (typeof value === "bigint") return exactNumber(value, at);
  if (typeof value !== "object" || value === null) return value;
  // A File or Directory has the fields of an object.
  return isArray(value) ? convertItems(value, at) : convertFields(value as CwlObject, at);
}

function convertItems(items: readonly CwlValue[], parent: Place): readonly CwlValue[] {
  let copy: CwlValue[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const item = items[index] ?? null;
    if (typeof item === "number" || typeof item === "string") continue;
    const converted = convert(item, { parent, key: index });
    if (converted === item) continue;
    copy ??= [...items];
    copy[index] = converted;
  }
  return copy ?? items;
}

function convertFields(fields: CwlObject, parent: Place | undefined): CwlObject {
  let copy: { [name: string]: CwlValue } | undefined;
  for (const [name, field] of Object.entries(fields)) {
    const converted = convert(field, { parent, key: name });
    if (converted === field) continue;
    copy ??= Object.assign(Object.create(null) as object, fields);
    copy[name] = converted;
  }
  return copy ?? fields;
}

function exactNumber(value: bigint, at: Place): number {
  const number = Number(value);
  if (BigInt(number) === value) return number;
  const name = placeText(at);
  throw new CwlFailure("EXPRESSION", `\`${name}\` is ${value}, which JavaScript cannot represent exactly`, {
    hint: `expressions can only pass it on with a plain reference: \`$(${name})\`; or declare it as a \`string\`, or as a \`double\` if its last digits do not matter`,
  });
}

function placeText({ parent, key }: Place): string {
  const own = typeof key === "number" ? `[${key}]` : /^\w+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
  return parent === undefined ? String(key) : `${placeText(parent)}${own}`;
}

import type { EvaluationContext, Evaluator } from "../expression/evaluate.ts";
import { holdsExpression } from "../expression/parse-template.ts";
import type { CwlValue, FileOrDirectory, FileValue } from "../model/cwl-value.ts";
import type { SecondaryFilePattern } from "../model/binding.ts";
import { isArray, isFileOrDirectory } from "../values/value-kind.ts";

/** A secondary file that a pattern requests: a name relative to the primary file, or a whole object. */
export interface RequestedFile {
  readonly target: string | FileOrDirectory;
  readonly isRequired: boolean;
  /** The pattern in the document, for messages. */
  readonly pattern: string;
}

export interface PatternContext {
  readonly evaluator: Evaluator;
  /** The context of the pattern, except `self`, which is the primary file. */
  readonly context: Omit<EvaluationContext, "self">;
  readonly place: string;
  /** Whether a file is required if its pattern does not say: true for inputs, false for outputs. */
  readonly requiredByDefault: boolean;
}

/** The files that patterns require next to a primary file. CWL v1.2 CommandLineTool.html#SecondaryFileSchema. */
export async function requestedSecondaryFiles(
  primary: FileValue,
  patterns: readonly SecondaryFilePattern[],
  context: PatternContext,
): Promise<readonly RequestedFile[]> {
  const requests: RequestedFile[] = [];
  for (const { pattern, required } of patterns) {
    const names = await namesOf(pattern, primary, context);
    const isRequired = names.length > 0 && (await evaluateRequired(required, primary, context));
    requests.push(...names.map((name) => ({ target: name, isRequired, pattern })));
  }
  return requests;
}

async function namesOf(
  pattern: string,
  primary: FileValue,
  { evaluator, context, place }: PatternContext,
): Promise<readonly (string | FileOrDirectory)[]> {
  if (!holdsExpression(pattern)) return [applyPattern(primary.basename ?? "", pattern)];
  const value = await evaluator.evaluate(pattern, { ...context, self: primary }, { place });
  return (isArray(value) ? value : [value]).filter(isRequest);
}

/** False for null and the empty string, which expressions return for no secondary file. */
function isRequest(value: CwlValue): value is string | FileOrDirectory {
  return (typeof value === "string" && value !== "") || isFileOrDirectory(value);
}

async function evaluateRequired(
  required: SecondaryFilePattern["required"],
  primary: FileValue,
  { evaluator, context, place, requiredByDefault }: PatternContext,
): Promise<boolean> {
  if (required === undefined) return requiredByDefault;
  return (await evaluator.evaluate(required, { ...context, self: primary }, { place })) === true;
}

/** Each caret removes one extension, then the rest is appended: `^.bai` turns `a.bam` into `a.bai`. */
export function applyPattern(basename: string, pattern: string): string {
  const carets = /^\^*/.exec(pattern)?.[0].length ?? 0;
  let name = basename;
  for (let count = 0; count < carets && name.includes("."); count++) name = name.slice(0, name.lastIndexOf("."));
  return name + pattern.slice(carets);
}

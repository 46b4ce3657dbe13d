import type { EvaluationContext, Evaluator } from "../expression/evaluate.ts";
import { holdsExpression } from "../expression/parse-template.ts";
import type { CwlValue, FileOrDirectory, FileValue } from "../model/cwl-value.ts";
import type { SecondaryFilePattern } from "../model/binding.ts";
import { isArray, isFileOrDirectory } from "../values/value-kind.ts";

/** A secondary file that a pattern requests: a name relative to the primary file, or a whole object. */
export interface WantedFile {
  readonly wanted: string | FileOrDirectory;
  readonly isRequired: boolean;
  /** As the document writes it, for messages. */
  readonly pattern: string;
}

export interface PatternContext {
  readonly evaluator: Evaluator;
  /** `self` is set to the primary file. */
  readonly context: Omit<EvaluationContext, "self">;
  readonly place: string;
  /** Applies if the pattern does not say: true for inputs, false for outputs. */
  readonly requiredByDefault: boolean;
}

/** The files that patterns require next to a primary file. CWL v1.2 CommandLineTool.html#SecondaryFileSchema. */
export async function wantedSecondaryFiles(
  primary: FileValue,
  patterns: readonly SecondaryFilePattern[],
  given: PatternContext,
): Promise<readonly WantedFile[]> {
  const wanted: WantedFile[] = [];
  for (const { pattern, required } of patterns) {
    const names = await namesOf(pattern, primary, given);
    const isRequired = names.length > 0 && (await evaluateRequired(required, primary, given));
    wanted.push(...names.map((name) => ({ wanted: name, isRequired, pattern })));
  }
  return wanted;
}

async function namesOf(
  pattern: string,
  primary: FileValue,
  { evaluator, context, place }: PatternContext,
): Promise<readonly (string | FileOrDirectory)[]> {
  if (!holdsExpression(pattern)) return [applyPattern(primary.basename ?? "", pattern)];
  const value = await evaluator.evaluate(pattern, { ...context, self: primary }, { place });
  return (isArray(value) ? value : [value]).filter(isWanted);
}

/** Expressions may return null or an empty text: no secondary file. */
function isWanted(value: CwlValue): value is string | FileOrDirectory {
  return (typeof value === "string" && value !== "") || isFileOrDirectory(value);
}

async function evaluateRequired(
  required: SecondaryFilePattern["required"],
  primary: FileValue,
  given: PatternContext,
): Promise<boolean> {
  if (required === undefined) return given.requiredByDefault;
  return (
    (await given.evaluator.evaluate(required, { ...given.context, self: primary }, { place: given.place })) === true
  );
}

/** Each caret removes one extension, then the rest is appended: `^.bai` turns `a.bam` into `a.bai`. */
export function applyPattern(basename: string, pattern: string): string {
  const carets = /^\^*/.exec(pattern)?.[0].length ?? 0;
  let name = basename;
  for (let count = 0; count < carets && name.includes("."); count++) name = name.slice(0, name.lastIndexOf("."));
  return name + pattern.slice(carets);
}

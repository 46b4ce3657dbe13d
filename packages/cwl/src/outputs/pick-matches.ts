import { CwlFailure } from "../cwl-failure.ts";
import { typeText } from "../model/type-text.ts";
import { matchesType } from "../check/check-type.ts";
import type { CwlType } from "../model/cwl-type.ts";
import type { CwlValue, FileOrDirectory } from "../model/cwl-value.ts";

/** Details for messages: the output, its patterns, and the content of the folder. */
export interface MatchContext {
  readonly place: string;
  readonly name: string;
  readonly patterns: readonly string[];
  readonly folder: () => Promise<string>;
}

/**
 * The value of an output without `outputEval`. Depending on its type: the one match, the list of all matches, or null.
 * Rejects with MISSING_OUTPUT or OUTPUT_INVALID. CWL v1.2 CommandLineTool.html#CommandOutputBinding.
 */
export async function pickMatches(
  matches: readonly FileOrDirectory[],
  type: CwlType,
  context: MatchContext,
): Promise<CwlValue> {
  const options = type.kind === "union" ? type.options : [type];
  const [only, second] = matches;
  if (only !== undefined && second === undefined && options.some((option) => option.kind === only.class)) return only;
  if (only === undefined && options.some(({ kind }) => kind === "null")) return null;
  if (options.some((option) => option.kind === "array" || option.kind === "Any")) return matches;
  if (only === undefined) return refuseNone(type, context);
  if (second !== undefined) throw refuseSeveral(matches, type, context);
  return matchesType(type, only) ? only : refuseKind(only, type, context);
}

function patternText({ patterns }: MatchContext): string {
  return patterns.map((pattern) => `\`${pattern}\``).join(" or ");
}

async function refuseNone(type: CwlType, context: MatchContext): Promise<never> {
  const what = type.kind === "Directory" ? "folder" : "file";
  const message = `output \`${context.name}\` found no ${what} matching ${patternText(context)} in the output folder, which ${await context.folder()}`;
  throw new CwlFailure("MISSING_OUTPUT", message, { place: context.place });
}

function refuseSeveral(matches: readonly FileOrDirectory[], type: CwlType, context: MatchContext): CwlFailure {
  const names = matches
    .slice(0, 5)
    .map(({ basename }) => basename)
    .join(", ");
  const more = matches.length > 5 ? ", …" : "";
  const message = `output \`${context.name}\` takes one ${typeText(type)}, but ${patternText(context)} matched ${matches.length}: ${names}${more}`;
  return new CwlFailure("OUTPUT_INVALID", message, {
    place: context.place,
    hint: `narrow the pattern, or make the type ${typeText(type)}[]`,
  });
}

function refuseKind(match: FileOrDirectory, type: CwlType, context: MatchContext): never {
  const message = `output \`${context.name}\` takes ${typeText(type)}, but \`${match.basename}\` is a ${match.class}`;
  throw new CwlFailure("OUTPUT_INVALID", message, { place: context.place });
}

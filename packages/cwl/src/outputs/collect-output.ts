import { attempt } from "../attempt.ts";
import { CwlFailure } from "../cwl-failure.ts";
import type { ContentsLoader } from "../files/contents-loader.ts";
import { listingExtent } from "../files/load-for-expressions.ts";
import { fileAt } from "../files/normalize-file.ts";
import { checkedValue } from "../values/checked-value.ts";
import { splitJobPath } from "../model/safe-name.ts";
import { isArray, isObject, kindText } from "../values/value-kind.ts";
import type { CwlType, RecordType } from "../model/cwl-type.ts";
import type { CwlValue, FileOrDirectory } from "../model/cwl-value.ts";
import type { OutputBinding } from "../model/binding.ts";
import type { OutputContext } from "./describe-output-file.ts";
import { globFiles, type GlobMatch } from "./glob/glob-files.ts";
import { typeText } from "../model/type-text.ts";
import { matchesType } from "../check/check-type.ts";

/** An output parameter, or a field of a record output. */
export interface OutputSlot {
  readonly name: string;
  readonly type: CwlType;
  readonly outputBinding?: OutputBinding;
  /** `outputs.report`, `outputs.pair.index`. */
  readonly place: string;
}

interface CollectContext extends OutputContext {
  readonly contents: ContentsLoader;
}

/** The value of one output; its Files still have the `path` inside the job. CWL v1.2 CommandLineTool.html#Output_binding. */
export async function collectOutput(slot: OutputSlot, context: CollectContext): Promise<CwlValue> {
  const { type, outputBinding } = slot;
  const isBound = outputBinding?.glob !== undefined || outputBinding?.outputEval !== undefined;
  if (!isBound) return collectFields(slot, context);
  const patterns =
    outputBinding.glob === undefined ? undefined : await evaluatePatterns(outputBinding.glob, slot, context);
  const matches = patterns === undefined ? [] : await findMatches(patterns, slot, context);
  const loaded = await loadMatches(matches, outputBinding, slot, context);
  if (outputBinding.outputEval !== undefined)
    return evaluateOutput(outputBinding.outputEval, patterns === undefined ? null : loaded, slot, context);
  if (patterns === undefined) return null;
  return pickMatches(loaded, type, { place: slot.place, name: slot.name, patterns, folder: () => folderText(context) });
}

/** The value of an output without a binding: null, or a record whose fields have bindings. */
async function collectFields(slot: OutputSlot, context: CollectContext): Promise<CwlValue> {
  const options = slot.type.kind === "union" ? slot.type.options : [slot.type];
  const record = options.find((option) => option.kind === "record");
  if (record === undefined) return null;
  const value = await attempt(() => collectRecord(record, slot, context));
  if ("value" in value) return value.value;
  const isOptional = value.failure.code === "MISSING_OUTPUT" && options.some(({ kind }) => kind === "null");
  if (isOptional) return null;
  throw value.failure;
}

async function collectRecord(
  type: RecordType,
  { place, name }: OutputSlot,
  context: CollectContext,
): Promise<CwlValue> {
  const fields: [string, CwlValue][] = [];
  for (const field of type.fields) {
    const slot = { ...field, name: `${name}.${field.name}`, place: `${place}.${field.name}` };
    fields.push([field.name, await collectOutput(slot, context)]);
  }
  // A record with fields named `class` and `basename` could pass for a File, which must be checked.
  return checkedValue(Object.fromEntries(fields), { limits: context.evaluator.limits, code: "OUTPUT_INVALID", place });
}

async function evaluatePatterns(
  written: readonly string[],
  { place }: OutputSlot,
  { evaluator, inputs, runtime }: CollectContext,
): Promise<readonly string[]> {
  const patterns: string[] = [];
  for (const pattern of written) {
    const value = await evaluator.evaluate(
      pattern,
      { inputs, self: null, runtime },
      { place: `${place}.outputBinding.glob` },
    );
    for (const item of isArray(value) ? value : [value]) {
      if (typeof item === "string") patterns.push(item);
      else if (item !== null)
        throw new CwlFailure("EXPRESSION", `\`glob\` must be a string or a list of strings, not ${kindText(item)}`, {
          place,
        });
    }
  }
  return patterns;
}

/** All matches in the order of the patterns, without duplicates. */
async function findMatches(
  patterns: readonly string[],
  { place }: OutputSlot,
  context: CollectContext,
): Promise<readonly GlobMatch[]> {
  const found = new Map<string, GlobMatch>();
  const { files, outdirUri, runtime } = context;
  for (const pattern of patterns) {
    for (const match of await globFiles(pattern, { files, outdirUri, outdir: runtime.outdir, place }))
      found.set(match.path, found.get(match.path) ?? match);
  }
  return [...found.values()];
}

async function loadMatches(
  matches: readonly GlobMatch[],
  binding: OutputBinding,
  { place }: OutputSlot,
  context: CollectContext,
): Promise<readonly FileOrDirectory[]> {
  const loaded: FileOrDirectory[] = [];
  for (const match of matches) loaded.push(await loadMatch(match, binding, place, context));
  return loaded;
}

async function loadMatch(
  { path, uri, stat }: GlobMatch,
  binding: OutputBinding,
  place: string,
  context: CollectContext,
): Promise<FileOrDirectory> {
  const { space, files, requirements } = context;
  const jobPath = space.pathOf(path);
  if (jobPath === undefined)
    throw new CwlFailure("OUTPUT_INVALID", "the name of a file in the output folder is not a valid path", {
      place,
      hint: "give the file a name that is valid UTF-8",
    });
  const { folder: dirname, name } = splitJobPath(jobPath);
  const value = fileAt(uri, stat, name);
  await space.resolveLinks(uri, place);
  if (value.class === "Directory")
    return { ...(await context.listings.load(value, listingExtent(binding, requirements))), path: jobPath };
  const file = { ...value, path: jobPath, dirname };
  const checked =
    binding.outputEval?.includes("checksum") === true ? { ...file, checksum: await files.checksum(uri) } : file;
  if (!binding.loadContents) return checked;
  const { file: withContents, problem } = await context.contents.load(checked);
  if (problem !== undefined) throw new CwlFailure("OUTPUT_INVALID", problem, { place });
  return withContents;
}

async function evaluateOutput(
  written: string,
  self: CwlValue,
  { place, type }: OutputSlot,
  { evaluator, inputs, runtime }: CollectContext,
): Promise<CwlValue> {
  const value = await evaluator.evaluate(
    written,
    { inputs, self, runtime },
    { place: `${place}.outputBinding.outputEval` },
  );
  const acceptsList =
    type.kind === "array" ||
    type.kind === "Any" ||
    (type.kind === "union" && type.options.some(({ kind }) => kind === "array"));
  // `$(self)` for a single File is a common mistake, which the reference runner accepts.
  const [only, second] = isArray(value) ? value : [];
  return isArray(value) && !acceptsList && second === undefined && isObject(only) ? only : value;
}

const SHOWN_ENTRIES = 12;

/** The contents of the output folder, for a message about a missing file. */
async function folderText({ files, outdirUri }: CollectContext): Promise<string> {
  const entries = await files.list(outdirUri);
  if (entries.length === 0) return "is empty";
  const names = entries.slice(0, SHOWN_ENTRIES).map(({ name, kind }) => (kind === "directory" ? `${name}/` : name));
  const more = entries.length > SHOWN_ENTRIES ? ` and ${entries.length - SHOWN_ENTRIES} more` : "";
  return `holds: ${names.join(", ")}${more}`;
}

/** Details for messages: the output, its patterns, and the content of the folder. */
interface MatchContext {
  readonly place: string;
  readonly name: string;
  readonly patterns: readonly string[];
  readonly folder: () => Promise<string>;
}

/**
 * The value of an output without `outputEval`. Depending on its type: the one match, the list of all matches, or null.
 * Rejects with MISSING_OUTPUT or OUTPUT_INVALID. CWL v1.2 CommandLineTool.html#CommandOutputBinding.
 */
async function pickMatches(
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

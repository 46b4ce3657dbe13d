import { CwlFailure } from "../../cwl-failure.ts";
import type { EvaluationContext, Evaluator } from "../../expression/evaluate.ts";
import { interpolatedText } from "../../expression/json-text.ts";
import { fieldOf, isArray, isFileOrDirectory, isObject, kindText } from "../../values/value-kind.ts";
import type { CwlObject, CwlValue, FileOrDirectory } from "../../model/cwl-value.ts";
import type { Requirement, WorkDirEntry } from "../../model/requirement.ts";

/** One item that the output folder contains before the job starts. `name` overrides that of a File or Directory. */
export type WorkDirItem =
  | {
      readonly kind: "value";
      readonly value: FileOrDirectory;
      readonly name: string | undefined;
      readonly writable: boolean;
      readonly place: string;
    }
  | { readonly kind: "text"; readonly text: string; readonly name: string; readonly place: string };

export interface WorkDirContext {
  readonly evaluator: Evaluator;
  readonly context: Omit<EvaluationContext, "self">;
}

type InitialWorkDir = Extract<Requirement, { readonly class: "InitialWorkDirRequirement" }>;

const PLACE = "requirements.InitialWorkDirRequirement.listing";

/** The items of InitialWorkDirRequirement, with expressions evaluated. CWL v1.2 CommandLineTool.html#InitialWorkDirRequirement. */
export async function evaluateWorkDir(
  { listing }: InitialWorkDir,
  evaluation: WorkDirContext,
): Promise<readonly WorkDirItem[]> {
  if (typeof listing === "string") return listedItems(await evaluate(listing, PLACE, evaluation), PLACE);
  const items: WorkDirItem[] = [];
  for (const [index, entry] of listing.entries())
    items.push(...(await evaluateEntry(entry, `${PLACE}.${index}`, evaluation)));
  return items;
}

async function evaluateEntry(
  entry: WorkDirEntry,
  place: string,
  evaluation: WorkDirContext,
): Promise<readonly WorkDirItem[]> {
  switch (entry.kind) {
    case "value":
      return listedItems(entry.value, place);
    case "expression":
      return listedItems(await evaluate(entry.expression, place, evaluation), place);
    case "dirent": {
      const entryname =
        entry.entryname === undefined ? null : await evaluate(entry.entryname, `${place}.entryname`, evaluation);
      return direntItems({
        ...(await evaluateText(entry.entry, place, evaluation)),
        entryname,
        writable: entry.writable,
        place,
      });
    }
  }
}

function evaluate(text: string, place: string, { evaluator, context }: WorkDirContext): Promise<CwlValue> {
  return evaluator.evaluate(text, { ...context, self: null }, { place });
}

/** The meaning of `entry`, and its text if it is not a file; whitespace around an expression is part of the text. */
async function evaluateText(entry: string, place: string, evaluation: WorkDirContext) {
  const [, before = "", , after = ""] = /^(\s*)(.*?)(\s*)$/s.exec(entry) ?? [];
  const value = await evaluate(entry.trim(), `${place}.entry`, evaluation);
  return { value, text: entry.trim() === "" ? entry : before + interpolatedText(value) + after };
}

/** Files, Directories, Dirents and lists of them, as a value or the result of an expression. */
function listedItems(value: CwlValue, place: string): readonly WorkDirItem[] {
  if (value === null) return [];
  if (isFileOrDirectory(value)) return [{ kind: "value", value, name: undefined, writable: false, place }];
  if (isArray(value)) return value.flatMap((item, index) => listedItems(item, `${place}.${index}`));
  if (isObject(value) && Object.hasOwn(value, "entry")) return objectItems(value, place);
  throw new CwlFailure("EXPRESSION", `expected a File, Directory, Dirent or list of them, found ${kindText(value)}`, {
    place,
  });
}

/** A Dirent that an expression returned. */
function objectItems(dirent: CwlObject, place: string): readonly WorkDirItem[] {
  const value = fieldOf(dirent, "entry") ?? null;
  const entryname = fieldOf(dirent, "entryname") ?? null;
  return direntItems({
    value,
    text: interpolatedText(value),
    entryname,
    writable: fieldOf(dirent, "writable") === true,
    place,
  });
}

interface EvaluatedDirent {
  readonly value: CwlValue;
  readonly text: string;
  readonly entryname: CwlValue;
  readonly writable: boolean;
  readonly place: string;
}

function direntItems({ value, text, entryname, writable, place }: EvaluatedDirent): readonly WorkDirItem[] {
  if (entryname !== null && typeof entryname !== "string") {
    throw new CwlFailure("EXPRESSION", `\`entryname\` must be a string, not ${kindText(entryname)}`, {
      place: `${place}.entryname`,
    });
  }
  if (value === null) return [];
  if (isFileOrDirectory(value)) return [{ kind: "value", value, name: entryname ?? undefined, writable, place }];
  if (isArray(value) && value.every(isFileOrDirectory) && (value.length > 0 || entryname === null)) {
    if (entryname === null)
      return value.map((item) => ({ kind: "value", value: item, name: undefined, writable, place }));
    throw new CwlFailure("INPUT_INVALID", "a list of Files and Directories cannot have one `entryname`", {
      place: `${place}.entryname`,
    });
  }
  if (entryname !== null) return [{ kind: "text", text, name: entryname, place }];
  throw new CwlFailure("INPUT_INVALID", "an entry that is a string needs an `entryname`", { place });
}

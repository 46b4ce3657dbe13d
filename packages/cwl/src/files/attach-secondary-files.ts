import { attempt } from "../attempt.ts";
import type { Evaluator } from "../expression/evaluate.ts";
import { toRelativePath } from "../model/safe-name.ts";
import type { CwlObject, FileOrDirectory, FileValue } from "../model/cwl-value.ts";
import { formatProblem, type IsSubformat } from "../check/check-format.ts";
import type { FileAccess } from "./file-access.ts";
import { pointerTo, type InputProblem } from "../values/input-problem.ts";
import { fileAt, normalizeFile, siblingUri } from "./normalize-file.ts";
import { wantedSecondaryFiles, type PatternContext, type WantedFile } from "./secondary-files.ts";
import type { FileRule, FileVisitor } from "../check/map-files.ts";
import { isArray } from "../values/value-kind.ts";

interface AttachOptions {
  readonly files: FileAccess;
  readonly evaluator: Evaluator;
  /** As expressions see them. */
  readonly inputs: CwlObject;
  readonly discoverSecondaryFiles?: boolean;
  readonly isSubformat?: IsSubformat;
  readonly report: (problem: InputProblem) => void;
  /** Pointers of Files that have an error and are not processed further. */
  readonly faulty: ReadonlySet<string>;
}

/**
 * Attaches secondary files to each input File, found next to it or passed along with it, and checks its format. A
 * failed expression is reported like any other problem.
 */
export function attachSecondaryFiles(options: AttachOptions): FileVisitor {
  return async (value, rule, pointer) => {
    if (value.class === "Directory" || options.faulty.has(pointer)) return value;
    const attempted = await attempt(() => completeFile(value, rule, { ...options, pointer }));
    if ("value" in attempted) return attempted.value;
    const { message, hint } = attempted.failure;
    options.report({
      severity: "error",
      pointer,
      code: "expression",
      message,
      ...(hint === undefined ? {} : { hint }),
    });
    return value;
  };
}

async function completeFile(value: FileValue, rule: FileRule, context: AttachContext): Promise<FileValue> {
  const patterns = patternContext(context, context.pointer);
  const wanted = await wantedSecondaryFiles(value, rule.secondaryFiles, patterns);
  const file = await withSecondaryFiles(value, wanted, context);
  await checkFormat(file, rule, context);
  return file;
}

function patternContext({ evaluator, inputs }: AttachOptions, pointer: string): PatternContext {
  return {
    evaluator,
    context: { inputs },
    place: `inputs${pointer.replaceAll("/", ".")}.secondaryFiles`,
    requiredByDefault: true,
  };
}

type AttachContext = AttachOptions & { readonly pointer: string };

async function withSecondaryFiles(
  file: FileValue,
  wanted: readonly WantedFile[],
  context: AttachContext,
): Promise<FileValue> {
  const members = [...(file.secondaryFiles ?? [])];
  for (const want of wanted) {
    const name = typeof want.wanted === "string" ? want.wanted : want.wanted.basename;
    if (members.some(({ basename }) => basename === name)) continue;
    const found = await findSecondaryFile(file, want, context);
    if (found === undefined) reportMissing(file, want, context);
    else replaceOrAdd(members, found);
  }
  return members.length === 0 ? file : { ...file, secondaryFiles: members };
}

/** An object replaces one that came with the File and has the same location, which is how expressions rename them. */
function replaceOrAdd(members: FileOrDirectory[], found: FileOrDirectory): void {
  const index = members.findIndex(({ location }) => location !== undefined && location === found.location);
  members.splice(index === -1 ? members.length : index, 1, found);
}

async function findSecondaryFile(
  file: FileValue,
  { wanted, isRequired }: WantedFile,
  context: AttachContext,
): Promise<FileOrDirectory | undefined> {
  if (typeof wanted !== "string") {
    const report = isRequired ? context.report : () => undefined;
    const { files, evaluator } = context;
    return normalizeFile(wanted, pointerTo(context.pointer, "secondaryFiles"), {
      files,
      limits: evaluator.limits,
      report,
    });
  }
  const { location } = file;
  if (location === undefined || context.discoverSecondaryFiles === false || !hasNeighbours(location, context.files))
    return undefined;
  const name = toRelativePath(wanted);
  if (name === undefined) return undefined;
  const uri = siblingUri(location, name);
  const stat = await context.files.stat(uri);
  return stat === undefined || stat.kind === "other" ? undefined : fileAt(uri, stat);
}

/** The content of a `data:` URL has no folder, so it has no neighboring files. */
function hasNeighbours(location: string, files: FileAccess): boolean {
  return location.startsWith("file:") || (!location.startsWith("data:") && files.isRemote?.(location) === true);
}

function reportMissing(
  file: FileValue,
  { wanted, isRequired, pattern }: WantedFile,
  { report, pointer, discoverSecondaryFiles }: AttachContext,
): void {
  if (!isRequired) return;
  const name = typeof wanted === "string" ? wanted : (wanted.basename ?? "a file");
  const needs = `\`${file.basename}\` needs the secondary file \`${name}\` (pattern \`${pattern}\`), which`;
  const problem = { severity: "error", pointer, code: "missing-secondary-file" } as const;
  if (discoverSecondaryFiles === false) report({ ...problem, message: `${needs} did not come with it`, hint: DECLARE });
  else report({ ...problem, message: `${needs} is not next to it` });
}

const DECLARE =
  "declare `secondaryFiles` where the file comes from (the network's input or the step's output), or list them in the File";

async function checkFormat(
  file: FileValue,
  rule: FileRule,
  { evaluator, inputs, isSubformat, report, pointer }: AttachContext,
): Promise<void> {
  const accepted: string[] = [];
  for (const format of rule.format ?? []) {
    const value = await evaluator.evaluate(
      format,
      { inputs, self: file },
      { place: `inputs${pointer.replaceAll("/", ".")}.format` },
    );
    accepted.push(...(isArray(value) ? value : [value]).filter((iri) => typeof iri === "string"));
  }
  const message = formatProblem(file, accepted, { isSubformat });
  if (message !== undefined)
    report({ severity: "error", pointer: pointerTo(pointer, "format"), code: "wrong-format", message });
}

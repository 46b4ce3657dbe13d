import { attempt } from "../attempt.ts";
import type { Evaluator } from "../expression/evaluate.ts";
import { toRelativePath } from "../model/safe-name.ts";
import type { CwlObject, FileOrDirectory, FileValue } from "../model/cwl-value.ts";
import { formatProblem, type IsSubformat } from "../check/check-format.ts";
import type { FileAccess } from "./file-access.ts";
import { pointerTo, type InputProblem } from "../values/input-problem.ts";
import { fileAt, normalizeFile, siblingUri } from "./normalize-file.ts";
import { requestedSecondaryFiles, type PatternContext, type RequestedFile } from "./secondary-files.ts";
import type { FileRule, FileVisitor } from "../check/map-files.ts";
import { isArray } from "../values/value-kind.ts";

interface AttachOptions {
  readonly files: FileAccess;
  readonly evaluator: Evaluator;
  /** The inputs that expressions see. */
  readonly inputs: CwlObject;
  readonly discoverSecondaryFiles?: boolean;
  readonly isSubformat?: IsSubformat;
  readonly report: (problem: InputProblem) => void;
  /** Pointers of Files that have an error and are not processed further. */
  readonly faulty: ReadonlySet<string>;
}

/**
 * Attaches secondary files to each input File, found next to it or passed along with it, and checks its format. Reports a
 * failed expression like any other problem.
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
  const requests = await requestedSecondaryFiles(value, rule.secondaryFiles, patterns);
  const file = await withSecondaryFiles(value, requests, context);
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
  requests: readonly RequestedFile[],
  context: AttachContext,
): Promise<FileValue> {
  const members = [...(file.secondaryFiles ?? [])];
  for (const request of requests) {
    const name = typeof request.target === "string" ? request.target : request.target.basename;
    if (members.some(({ basename }) => basename === name)) continue;
    const found = await findSecondaryFile(file, request, context);
    if (found === undefined) reportMissing(file, request, context);
    else replaceOrAdd(members, found);
  }
  return members.length === 0 ? file : { ...file, secondaryFiles: members };
}

/** Replaces a member with the same location, because expressions rename secondary files in this way; otherwise adds the file. */
function replaceOrAdd(members: FileOrDirectory[], found: FileOrDirectory): void {
  const index = members.findIndex(({ location }) => location !== undefined && location === found.location);
  members.splice(index === -1 ? members.length : index, 1, found);
}

async function findSecondaryFile(
  file: FileValue,
  { target, isRequired }: RequestedFile,
  context: AttachContext,
): Promise<FileOrDirectory | undefined> {
  if (typeof target !== "string") {
    const report = isRequired ? context.report : () => undefined;
    const { files, evaluator } = context;
    return normalizeFile(target, pointerTo(context.pointer, "secondaryFiles"), {
      files,
      limits: evaluator.limits,
      report,
    });
  }
  const { location } = file;
  if (location === undefined || context.discoverSecondaryFiles === false || !hasNeighbors(location, context.files))
    return undefined;
  const name = toRelativePath(target);
  if (name === undefined) return undefined;
  const uri = siblingUri(location, name);
  const stat = await context.files.stat(uri);
  return stat === undefined || stat.kind === "other" ? undefined : fileAt(uri, stat);
}

/** The content of a `data:` URL has no folder, so it has no neighboring files. */
function hasNeighbors(location: string, files: FileAccess): boolean {
  return location.startsWith("file:") || (!location.startsWith("data:") && files.isRemote?.(location) === true);
}

function reportMissing(
  file: FileValue,
  { target, isRequired, pattern }: RequestedFile,
  { report, pointer, discoverSecondaryFiles }: AttachContext,
): void {
  if (!isRequired) return;
  const name = typeof target === "string" ? target : (target.basename ?? "a file");
  const needs = `\`${file.basename}\` needs the secondary file \`${name}\` (pattern \`${pattern}\`), which`;
  const problem = { severity: "error", pointer, code: "missing-secondary-file" } as const;
  if (discoverSecondaryFiles === false)
    report({ ...problem, message: `${needs} was not passed along with it`, hint: DECLARE });
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

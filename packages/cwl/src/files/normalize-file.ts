import type { DirectoryValue, FileOrDirectory, FileValue } from "../model/cwl-value.ts";
import type { FileAccess, FileStat } from "./file-access.ts";
import { pointerTo, type InputProblem } from "../values/input-problem.ts";
import { CwlFailure } from "../cwl-failure.ts";
import { limitExceeded, type CwlLimits } from "../limits.ts";
import { toSafeName, type RelativePath, type SafeName } from "../model/safe-name.ts";
import { addressName, splitName } from "../values/file-name.ts";
import { fileUriProblem, joinUri, nameOfUri, pathToUri } from "../values/file-uri.ts";

export interface NormalizeContext {
  readonly files: FileAccess;
  readonly limits: CwlLimits;
  readonly report: (problem: InputProblem) => void;
}

/**
 * A File or Directory in the form that expressions expect: with an absolute `location`, `basename`, `nameroot`, `nameext` and
 * `size`, including all nested Files. Reports a missing file at the pointer of its `location`. Removes paths of earlier jobs. CWL v1.2 CommandLineTool.html#File, #Directory.
 */
export async function normalizeFile(
  value: FileOrDirectory,
  pointer: string,
  context: NormalizeContext,
): Promise<FileOrDirectory> {
  const { path, ...rest } = value;
  const location = addressOf(rest.location, path);
  const addressed = { class: value.class, location };
  const stat = await lookUp(addressed, pointer, context);
  const basename = value.basename ?? derivedName(addressed, pointer, context);
  const address = location === undefined ? {} : { location };
  const named = basename === undefined ? {} : { basename };
  if (rest.class === "File") return normalFile({ ...rest, ...address, ...named }, { stat, pointer, context });
  return normalDirectory({ ...rest, ...address, ...named }, pointer, context);
}

interface Addressed {
  readonly class: "File" | "Directory";
  readonly location: string | undefined;
}

/** The kind and size of the content at an address; undefined for a literal, and after a reported problem. */
async function lookUp(
  { class: kind, location }: Addressed,
  pointer: string,
  context: NormalizeContext,
): Promise<FileStat | undefined> {
  if (location === undefined) return undefined;
  const problem = badAddress(location, kind, context.files);
  if (problem === undefined) return statChecked({ location, kind }, pointer, context);
  context.report({
    severity: "error",
    pointer: pointerTo(pointer, "location"),
    code: "invalid-file",
    message: problem,
  });
  return undefined;
}

/** `_:` names a literal, which has no address. */
function addressOf(location: string | undefined, path: string | undefined): string | undefined {
  if (location !== undefined) return location.startsWith("_:") ? undefined : location;
  return path === undefined ? undefined : pathToUri(path);
}

/** The name from the address. Reports an unusable name and returns undefined. */
function derivedName(value: Addressed, pointer: string, { limits, report }: NormalizeContext): SafeName | undefined {
  const name = addressName(value);
  const isLong = name !== undefined && new TextEncoder().encode(name).length > limits.nameBytes;
  if (name !== undefined && !isLong) return name;
  const message = isLong
    ? limitExceeded("nameBytes", limits, { what: "the length of the name in the address" }).message
    : `\`${value.location}\` does not contain a usable name for the ${value.class}`;
  const hint = "give it a `basename`: a single name without `/`";
  const code = isLong ? "limit-exceeded" : "invalid-file";
  report({ severity: "error", pointer: pointerTo(pointer, "location"), code, message, hint });
  return undefined;
}

function badAddress(location: string, kind: "File" | "Directory", files: FileAccess): string | undefined {
  if (files.isRemote?.(location) === true)
    return kind === "File" ? undefined : `\`${location}\` cannot be a Directory: name its files in \`listing\``;
  if (!URL.canParse(location)) return `\`${location}\` is not an absolute URI`;
  if (location.startsWith("file:")) return fileUriProblem(location);
  const readable =
    files.isRemote === undefined ? "files on this machine (`file://`)" : "`file:`, `http:`, `https:` and `data:`";
  return `\`${location}\` cannot be read here: only ${readable} can`;
}

interface ExpectedFile {
  readonly location: string;
  readonly kind: "File" | "Directory";
}

async function statChecked(
  { location, kind }: ExpectedFile,
  pointer: string,
  { files, report }: NormalizeContext,
): Promise<FileStat | undefined> {
  const stat = await files.stat(location);
  const expected = kind === "File" ? "file" : "directory";
  if (stat?.kind === expected) return stat;
  const found =
    stat === undefined
      ? "there is nothing"
      : `this is ${stat.kind === "other" ? "neither a file nor a folder" : `a ${stat.kind}`}`;
  const message = `expected a ${kind} at \`${location}\`, but ${found}`;
  report({ severity: "error", pointer: pointerTo(pointer, "location"), code: "missing-file", message });
  return stat;
}

interface FileSurroundings {
  readonly stat: FileStat | undefined;
  readonly pointer: string;
  readonly context: NormalizeContext;
}

async function normalFile(file: FileValue, { stat, pointer, context }: FileSurroundings): Promise<FileValue> {
  const { contents, dirname: _, secondaryFiles, ...rest } = file;
  const isLiteral = file.location === undefined;
  const size = stat?.size ?? (isLiteral ? new TextEncoder().encode(contents ?? "").length : undefined);
  const members = await normalMembers(secondaryFiles, pointerTo(pointer, "secondaryFiles"), context);
  return {
    ...rest,
    ...(file.basename === undefined ? {} : splitName(file.basename)),
    ...(size === undefined ? {} : { size }),
    ...(isLiteral && contents !== undefined ? { contents } : {}),
    ...(members === undefined ? {} : { secondaryFiles: members }),
  };
}

async function normalDirectory(
  directory: DirectoryValue,
  pointer: string,
  context: NormalizeContext,
): Promise<DirectoryValue> {
  const { listing, ...rest } = directory;
  if (directory.location !== undefined) return rest;
  return { ...rest, listing: (await normalMembers(listing, pointerTo(pointer, "listing"), context)) ?? [] };
}

async function normalMembers(
  members: readonly FileOrDirectory[] | undefined,
  pointer: string,
  context: NormalizeContext,
) {
  if (members === undefined) return undefined;
  const normal: FileOrDirectory[] = [];
  for (const [index, member] of members.entries())
    normal.push(await normalizeFile(member, pointerTo(pointer, index), context));
  return normal;
}

/** The value for an existing file or folder. Throws INPUT_INVALID if a job cannot use its name. */
export function fileAt(uri: string, stat: FileStat, name = nameOfUri(uri)): FileOrDirectory {
  const basename = toSafeName(name);
  if (basename === undefined)
    throw new CwlFailure("INPUT_INVALID", `\`${uri}\` has no name that a File or Directory can have`);
  if (stat.kind === "directory") return { class: "Directory", location: uri, basename };
  return { class: "File", location: uri, basename, ...splitName(basename), size: stat.size };
}

/** The URI of a path relative to the folder of a file. */
export function siblingUri(uri: string, relativePath: RelativePath): string {
  const [plain = uri] = uri.split(/[?#]/, 1);
  return joinUri(plain.slice(0, plain.lastIndexOf("/") + 1), relativePath);
}

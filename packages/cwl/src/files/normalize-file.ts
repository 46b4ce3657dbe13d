import type { DirectoryValue, FileOrDirectory, FileValue } from "../model/cwl-value.ts";
import type { FileAccess, FileStat } from "./file-access.ts";
import { pointerTo, type InputProblem } from "./input-problem.ts";
import { splitName } from "./value/file-name.ts";
import { joinUri, nameOfUri, pathToUri } from "./value/file-uri.ts";

export interface NormalizeContext {
  readonly files: FileAccess;
  readonly report: (problem: InputProblem) => void;
}

/**
 * A File or Directory as expressions expect it: `location` absolute, `basename`, `nameroot`, `nameext` and `size` filled
 * in, everything inside of it too. What is not there is reported at the pointer of its `location`; paths of an earlier
 * job are forgotten. CWL v1.2 CommandLineTool.html#File, #Directory.
 */
export async function normalizeFile(
  value: FileOrDirectory,
  pointer: string,
  context: NormalizeContext,
): Promise<FileOrDirectory> {
  const { path, ...rest } = value;
  const location = addressOf(rest.location, path);
  const unknown = location === undefined ? undefined : badAddress(location, value.class, context.files);
  if (unknown !== undefined)
    context.report({
      severity: "error",
      pointer: pointerTo(pointer, "location"),
      code: "invalid-file",
      message: unknown,
    });
  const stat =
    location === undefined || unknown !== undefined
      ? undefined
      : await statChecked({ location, kind: value.class }, pointer, context);
  const basename =
    value.basename ?? (isNameless(location) ? `literal-${value.class.toLowerCase()}` : nameOfUri(location));
  const address = location === undefined ? {} : { location };
  if (rest.class === "File") return normalFile({ ...rest, ...address, basename }, { stat, pointer, context });
  return normalDirectory({ ...rest, ...address, basename }, pointer, context);
}

/** `_:` names a literal, which has no address. */
function addressOf(location: string | undefined | null, path: string | undefined | null): string | undefined {
  const given = location ?? undefined;
  if (given !== undefined) return given.startsWith("_:") ? undefined : given;
  return path === undefined || path === null ? undefined : pathToUri(path);
}

function isNameless(location: string | undefined): location is undefined {
  return location === undefined || location.startsWith("data:");
}

function badAddress(location: string, kind: "File" | "Directory", files: FileAccess): string | undefined {
  if (files.isRemote?.(location) === true) {
    const isFile = kind === "File";
    return isFile ? undefined : `\`${location}\` cannot be a Directory: name its files in \`listing\``;
  }
  if (!URL.canParse(location)) return `\`${location}\` is no absolute URI`;
  if (!location.startsWith("file:"))
    return `\`${location}\` cannot be read: only files of this machine (\`file://\`) can`;
  return /%(?![0-9a-f]{2})|%2f|%00/i.test(location) ? `\`${location}\` has a wrong percent escape` : undefined;
}

interface Sought {
  readonly location: string;
  readonly kind: "File" | "Directory";
}

async function statChecked(
  { location, kind }: Sought,
  pointer: string,
  { files, report }: NormalizeContext,
): Promise<FileStat | undefined> {
  const stat = await files.stat(location);
  const expected = kind === "File" ? "file" : "directory";
  if (stat?.kind === expected) return stat;
  const found =
    stat === undefined
      ? "there is nothing"
      : `this is ${stat.kind === "other" ? "neither file nor folder" : `a ${stat.kind}`}`;
  const message = `expected a ${kind} at \`${location}\`, but ${found}`;
  report({ severity: "error", pointer: pointerTo(pointer, "location"), code: "missing-file", message });
  return stat;
}

interface FileSurroundings {
  readonly stat: FileStat | undefined;
  readonly pointer: string;
  readonly context: NormalizeContext;
}

async function normalFile(
  file: FileValue & { readonly basename: string },
  { stat, pointer, context }: FileSurroundings,
): Promise<FileValue> {
  const { contents, dirname: _, secondaryFiles, ...rest } = file;
  const isLiteral = file.location === undefined;
  const size = stat?.size ?? (isLiteral ? new TextEncoder().encode(contents ?? "").length : undefined);
  const members = await normalMembers(secondaryFiles, pointerTo(pointer, "secondaryFiles"), context);
  return {
    ...rest,
    ...splitName(file.basename),
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
  members: readonly FileOrDirectory[] | undefined | null,
  pointer: string,
  context: NormalizeContext,
) {
  if (members === undefined || members === null) return undefined;
  const normal: FileOrDirectory[] = [];
  for (const [index, member] of members.entries())
    normal.push(await normalizeFile(member, pointerTo(pointer, index), context));
  return normal;
}

/** A File or Directory for something known to be on disk. */
export function fileAt(uri: string, stat: FileStat, basename = nameOfUri(uri)): FileOrDirectory {
  if (stat.kind === "directory") return { class: "Directory", location: uri, basename };
  return { class: "File", location: uri, basename, ...splitName(basename), size: stat.size };
}

/** The URI of a file that stands beside another. */
export function siblingUri(uri: string, relativePath: string): string {
  const [plain = uri] = uri.split(/[?#]/, 1);
  return joinUri(plain.slice(0, plain.lastIndexOf("/") + 1), relativePath);
}

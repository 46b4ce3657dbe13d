import type { Runtime } from "../model/job-plan.ts";
import { CwlFailure } from "../cwl-failure.ts";
import type { Evaluator } from "../expression/evaluate.ts";
import type { FileAccess, FileStat, FolderEntry } from "../files/file-access.ts";
import type { ListingLoader } from "../files/listing-loader.ts";
import { listingExtent } from "../files/load-for-expressions.ts";
import { nameOf } from "../files/staging/place-files.ts";
import { splitName } from "../values/file-name.ts";
import { isWithin, nameOfUri, joinUri, pathOfUri } from "../values/file-uri.ts";
import type { FileRule } from "../check/map-files.ts";
import type { CwlObject, DirectoryValue, FileOrDirectory, FileValue } from "../model/cwl-value.ts";
import type { RequirementSet } from "../model/effective-requirements.ts";
import type { OutputSpace } from "./output-space.ts";
import { limitExceeded } from "../limits.ts";

export interface OutputContext {
  readonly space: OutputSpace;
  readonly files: FileAccess;
  readonly listings: ListingLoader;
  readonly outdirUri: string;
  readonly requirements: RequirementSet;
  readonly evaluator: Evaluator;
  readonly inputs: CwlObject;
  readonly runtime: Runtime;
}

/**
 * Describes a File or Directory that a job created or passed on, for use outside of the job: an absolute `location` with
 * links followed, names, size, checksum, and a listing if requested, but no `path`. Literals stay literals.
 */
export async function describeOutputFile(
  value: FileOrDirectory,
  rule: FileRule,
  at: { readonly place: string; readonly context: OutputContext },
): Promise<FileOrDirectory> {
  const { place, context } = at;
  const uri = addressOf(value, place, context.space);
  if (uri === undefined) return describeLiteral(value, rule, at);
  const stat = await context.files.stat(uri);
  checkKind(value, uri, stat, place);
  const location = await context.space.resolveLinks(uri, place);
  const basename = value.basename ?? nameOf({ class: value.class, location: uri });
  if (value.class === "Directory") return describeDirectory({ class: "Directory", location, basename }, rule, at);
  const members = await describeMembers(value.secondaryFiles, rule, at);
  return {
    ...withoutPath(value),
    location,
    basename,
    ...splitName(basename),
    size: stat?.size ?? 0,
    checksum: await context.files.checksum(location),
    ...(members === undefined ? {} : { secondaryFiles: members }),
  };
}

/** The URI of a value; undefined for a literal. Prefers `path`, because the job may have changed a copy of an input. */
function addressOf(
  { path, location, class: kind }: FileOrDirectory,
  place: string,
  space: OutputSpace,
): string | undefined {
  const isNamed = location !== undefined && location !== null && !location.startsWith("_:");
  if ((path === undefined || path === null) && !isNamed) return undefined;
  const uri =
    (path === undefined || path === null ? undefined : space.uriOfPath(path)) ??
    (isNamed ? space.uriOfLocation(location) : undefined);
  if (uri !== undefined) return uri;
  throw new CwlFailure(
    "OUTPUT_INVALID",
    `the ${kind} \`${path ?? location}\` is neither in the output folder nor one of the inputs`,
    { place },
  );
}

function checkKind(value: FileOrDirectory, uri: string, stat: FileStat | undefined, place: string): void {
  const name = nameOfUri(uri);
  if (stat === undefined)
    throw new CwlFailure("MISSING_OUTPUT", `the ${value.class} \`${name}\` does not exist, or is a dangling link`, {
      place,
    });
  const expected = value.class === "File" ? "file" : "directory";
  if (stat.kind === expected) return;
  const found = stat.kind === "other" ? "neither a file nor a folder (a device, socket or pipe)" : `a ${stat.kind}`;
  throw new CwlFailure("OUTPUT_INVALID", `\`${name}\` should be a ${value.class}, but is ${found}`, { place });
}

function withoutPath(file: FileValue): FileValue {
  const { path: _path, dirname: _dirname, contents: _contents, secondaryFiles: _members, ...rest } = file;
  return rest;
}

type At = { readonly place: string; readonly context: OutputContext };

async function describeDirectory(
  directory: DirectoryValue & { readonly location: string },
  rule: FileRule,
  { place, context }: At,
): Promise<DirectoryValue> {
  if (isWithin(directory.location, context.outdirUri)) await checkOutputFolder(directory.location, { place, context });
  return context.listings.load(directory, listingExtent(rule, context.requirements));
}

async function describeMembers(
  members: readonly FileOrDirectory[] | undefined,
  rule: FileRule,
  at: At,
): Promise<readonly FileOrDirectory[] | undefined> {
  if (members === undefined || members === null) return undefined;
  const described: FileOrDirectory[] = [];
  for (const member of members) described.push(await describeOutputFile(member, rule, at));
  return described;
}

async function describeLiteral(value: FileOrDirectory, rule: FileRule, at: At): Promise<FileOrDirectory> {
  const basename = nameOf(value);
  if (value.class === "Directory") {
    const { path: _, location: _location, ...rest } = value;
    return { ...rest, basename, listing: (await describeMembers(value.listing, rule, at)) ?? [] };
  }
  if (typeof value.contents !== "string")
    throw new CwlFailure("OUTPUT_INVALID", `the File \`${basename}\` has neither location nor contents`, {
      place: at.place,
    });
  const members = await describeMembers(value.secondaryFiles, rule, at);
  const { location: _, ...rest } = withoutPath(value);
  const size = new TextEncoder().encode(value.contents).length;
  return {
    ...rest,
    basename,
    ...splitName(basename),
    size,
    contents: value.contents,
    ...(members === undefined ? {} : { secondaryFiles: members }),
  };
}

/**
 * Refuses a folder that contains, at any depth, a link out of the output folder or an entry that is neither a file nor a
 * folder (D12), so that later readers of the output find data. Links to folders are not followed. Folders that nest
 * deeper than a value can are refused with LIMIT_EXCEEDED.
 */
async function checkOutputFolder(folderUri: string, at: At, depth = 1): Promise<void> {
  const { place, context } = at;
  const { limits } = context.evaluator;
  if (depth > limits.valueDepth)
    throw limitExceeded("valueDepth", limits, { what: "the nesting of folders in the output", place });
  const realFolder = await context.files.realUri(folderUri);
  for (const entry of await context.files.list(folderUri)) {
    const isLink = realFolder === undefined || !(await isItself(entry, realFolder, context.files));
    if (isLink) await context.space.resolveLinks(entry.uri, place);
    else if (entry.kind === "other") {
      throw new CwlFailure(
        "OUTPUT_INVALID",
        `\`${entry.name}\` is neither a file nor a folder (a device, socket or pipe)`,
        { place },
      );
    } else if (entry.kind === "directory") await checkOutputFolder(entry.uri, at, depth + 1);
  }
}

async function isItself(entry: FolderEntry, realFolder: string, files: FileAccess): Promise<boolean> {
  const real = await files.realUri(entry.uri);
  return (
    real !== undefined && isWithin(real, realFolder) && pathOfUri(real) === pathOfUri(joinUri(realFolder, entry.name))
  );
}

import type { FileAccess } from "../files/file-access.ts";
import { ListingLoader } from "../files/listing-loader.ts";
import { isArray, isFileOrDirectory, isObject } from "../values/value-kind.ts";
import type { CwlLimits } from "../limits.ts";
import type { CwlObject, CwlValue, DirectoryValue, FileOrDirectory } from "../model/cwl-value.ts";

/**
 * Adds the complete listing to every Directory of an output object, with sizes and checksums, as command-line runners
 * print it at the end of a run. Call the function for one value after the other. Between the steps of a workflow, Weft
 * omits listings, because they can be long. Fails with LIMIT_EXCEEDED. CWL v1.2 CommandLineTool.html#Directory.
 */
export function directoryLister({ files, limits }: ListingOptions): (value: CwlValue) => Promise<CwlValue> {
  const context = { files, listings: new ListingLoader({ files, limits, onlyContent: true }) };
  return (value) => listValue(value, context);
}

interface ListingOptions {
  readonly files: FileAccess;
  readonly limits: CwlLimits;
}

interface ListContext {
  readonly files: FileAccess;
  readonly listings: ListingLoader;
}

async function listFields(record: CwlObject, context: ListContext): Promise<CwlObject> {
  const listed: [string, CwlValue][] = [];
  for (const [name, value] of Object.entries(record)) listed.push([name, await listValue(value, context)]);
  return Object.fromEntries(listed);
}

async function listValue(value: CwlValue, context: ListContext): Promise<CwlValue> {
  if (isFileOrDirectory(value)) return listOne(value, context);
  if (isObject(value)) return listFields(value, context);
  if (!isArray(value)) return value;
  const items: CwlValue[] = [];
  for (const item of value) items.push(await listValue(item, context));
  return items;
}

async function listOne(value: FileOrDirectory, context: ListContext): Promise<FileOrDirectory> {
  if (value.class === "Directory") return listDirectory(await context.listings.load(value, "deep_listing"), context);
  const { location, checksum, secondaryFiles } = value;
  const known =
    location === undefined || checksum !== undefined
      ? value
      : { ...value, checksum: await context.files.checksum(location) };
  return secondaryFiles === undefined ? known : { ...known, secondaryFiles: await listAll(secondaryFiles, context) };
}

/** Adds checksums to a Directory that already has its listing at every depth. */
async function listDirectory(directory: DirectoryValue, context: ListContext): Promise<DirectoryValue> {
  const listing: FileOrDirectory[] = [];
  for (const member of directory.listing ?? []) {
    listing.push(member.class === "Directory" ? await listDirectory(member, context) : await listOne(member, context));
  }
  return { ...directory, listing };
}

async function listAll(values: readonly FileOrDirectory[], context: ListContext): Promise<readonly FileOrDirectory[]> {
  const listed: FileOrDirectory[] = [];
  for (const value of values) listed.push(await listOne(value, context));
  return listed;
}

import type { FileAccess } from "../files/file-access.ts";
import { loadListing } from "../files/load-listing.ts";
import { isArray, isFileOrDirectory, isObject } from "../files/value/value-kind.ts";
import type { CwlObject, CwlValue, DirectoryValue, FileOrDirectory } from "../model/cwl-value.ts";

/**
 * An output object in which every Directory tells all that it holds, with sizes and checksums: what command-line runners
 * print at the end. Between the steps of a workflow listings are left out, since they can be long.
 * CWL v1.2 CommandLineTool.html#Directory.
 */
export async function listDirectories(outputs: CwlObject, files: FileAccess): Promise<CwlObject> {
  const listed: [string, CwlValue][] = [];
  for (const [name, value] of Object.entries(outputs)) listed.push([name, await listValue(value, files)]);
  return Object.fromEntries(listed);
}

async function listValue(value: CwlValue, files: FileAccess): Promise<CwlValue> {
  if (isFileOrDirectory(value)) return listOne(value, files);
  if (isObject(value)) return listDirectories(value, files);
  if (!isArray(value)) return value;
  const items: CwlValue[] = [];
  for (const item of value) items.push(await listValue(item, files));
  return items;
}

async function listOne(value: FileOrDirectory, files: FileAccess): Promise<FileOrDirectory> {
  if (value.class === "Directory") return listDirectory(await loadListing(value, "deep_listing", files), files);
  const { location, checksum, secondaryFiles } = value;
  const known =
    location === undefined || checksum !== undefined ? value : { ...value, checksum: await files.checksum(location) };
  return secondaryFiles === undefined ? known : { ...known, secondaryFiles: await listAll(secondaryFiles, files) };
}

/** The listing is there already, at every depth; files in it still lack their checksums. */
async function listDirectory(directory: DirectoryValue, files: FileAccess): Promise<DirectoryValue> {
  const listing: FileOrDirectory[] = [];
  for (const member of directory.listing ?? []) {
    listing.push(member.class === "Directory" ? await listDirectory(member, files) : await listOne(member, files));
  }
  return { ...directory, listing };
}

async function listAll(values: readonly FileOrDirectory[], files: FileAccess): Promise<readonly FileOrDirectory[]> {
  const listed: FileOrDirectory[] = [];
  for (const value of values) listed.push(await listOne(value, files));
  return listed;
}

import type { DirectoryValue, FileOrDirectory } from "../model/cwl-value.ts";
import type { LoadListing } from "../model/binding.ts";
import type { FileAccess } from "./file-access.ts";
import { fileAt } from "./normalize-file.ts";

/** Symbolic links can make a folder contain itself. */
const MAX_DEPTH = 100;

/**
 * A Directory with its `listing` as `loadListing` asks for it. Literals keep theirs; for a folder on disk without one
 * asked for, none is given. CWL v1.2 CommandLineTool.html#LoadContents.
 */
export async function loadListing(
  directory: DirectoryValue,
  extent: LoadListing,
  files: FileAccess,
): Promise<DirectoryValue> {
  if (directory.location === undefined) return directory;
  const { listing: _, ...rest } = directory;
  if (extent === "no_listing") return rest;
  return { ...rest, listing: await listFolder(directory.location, extent === "deep_listing" ? MAX_DEPTH : 1, files) };
}

async function listFolder(uri: string, depth: number, files: FileAccess): Promise<FileOrDirectory[]> {
  const listing: FileOrDirectory[] = [];
  for (const entry of await files.list(uri)) {
    const member = fileAt(entry.uri, entry, entry.name);
    const isDeep = member.class === "Directory" && depth > 1;
    listing.push(isDeep ? { ...member, listing: await listFolder(entry.uri, depth - 1, files) } : member);
  }
  return listing;
}

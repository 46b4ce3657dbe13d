import type { DirectoryValue, FileOrDirectory } from "../model/cwl-value.ts";
import type { LoadListing } from "../model/binding.ts";
import type { FileAccess } from "./file-access.ts";
import { fileAt } from "./normalize-file.ts";

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
  const { location } = directory;
  const around = extent === "deep_listing" ? [(await files.realUri(location)) ?? location] : undefined;
  return { ...rest, listing: await listFolder(location, around, files) };
}

/** `around`: the real folders that hold this one, itself too; undefined: what is inside of folders is not listed. */
async function listFolder(
  uri: string,
  around: readonly string[] | undefined,
  files: FileAccess,
): Promise<FileOrDirectory[]> {
  const listing: FileOrDirectory[] = [];
  for (const entry of await files.list(uri)) {
    const member = fileAt(entry.uri, entry);
    const isDeep = around !== undefined && member.class === "Directory";
    listing.push(isDeep ? await listMember(member, { uri: entry.uri, around, files }) : member);
  }
  return listing;
}

interface MemberOptions {
  readonly uri: string;
  readonly around: readonly string[];
  readonly files: FileAccess;
}

/** A symbolic link can make a folder hold itself: there the listing ends. */
async function listMember(member: DirectoryValue, { uri, around, files }: MemberOptions): Promise<DirectoryValue> {
  const real = (await files.realUri(uri)) ?? uri;
  if (around.includes(real)) return member;
  return { ...member, listing: await listFolder(uri, [...around, real], files) };
}

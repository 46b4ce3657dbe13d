import type { DirectoryValue, FileOrDirectory, FileValue } from "../../model/cwl-value.ts";
import { splitName } from "../value/file-name.ts";
import { nameOfUri } from "../value/file-uri.ts";

/**
 * A File or Directory as it will stand at `target` (an absolute path as the job sees it): `path`, `dirname` and the
 * fields that follow from the name. Secondary files stand beside it, a listing below it.
 * CWL v1.2 CommandLineTool.html#File.
 */
export function placeAt(value: FileOrDirectory, target: string): FileOrDirectory {
  return value.class === "File" ? placeFile(value, target) : placeDirectory(value, target);
}

function placeFile(file: FileValue, target: string): FileValue {
  const { folder, name } = splitPath(target);
  const placed = { ...file, path: target, dirname: folder, basename: name, ...splitName(name) };
  if (file.secondaryFiles === undefined) return placed;
  return { ...placed, secondaryFiles: placeMembers(file.secondaryFiles, folder) };
}

function placeDirectory(directory: DirectoryValue, target: string): DirectoryValue {
  const placed = { ...directory, path: target, basename: splitPath(target).name };
  return directory.listing === undefined ? placed : { ...placed, listing: placeMembers(directory.listing, target) };
}

function placeMembers(members: readonly FileOrDirectory[], folder: string): readonly FileOrDirectory[] {
  return members.map((member) => placeAt(member, `${folder}/${nameOf(member)}`));
}

/** The name that a File or Directory is staged under. */
export function nameOf(value: FileOrDirectory): string {
  return (
    value.basename ??
    (value.location === undefined ? `literal-${value.class.toLowerCase()}` : nameOfUri(value.location))
  );
}

export function splitPath(path: string): { readonly folder: string; readonly name: string } {
  const slash = path.lastIndexOf("/");
  return { folder: path.slice(0, slash), name: path.slice(slash + 1) };
}

import { CwlFailure } from "../../cwl-failure.ts";
import type { DirectoryValue, FileOrDirectory, FileValue } from "../../model/cwl-value.ts";
import { joinJobPath, splitJobPath, type JobPath, type SafeName } from "../../model/safe-name.ts";
import { addressName, splitName } from "../../values/file-name.ts";

/**
 * A File or Directory as staged at `target` (an absolute path as the job sees it): `path`, `dirname` and the fields
 * that follow from the name. Secondary files are next to it, a listing is below it. CWL v1.2 CommandLineTool.html#File.
 */
export function placeAt(value: FileOrDirectory, target: JobPath): FileOrDirectory {
  return value.class === "File" ? placeFile(value, target) : placeDirectory(value, target);
}

function placeFile(file: FileValue, target: JobPath): FileValue {
  const { folder, name } = splitJobPath(target);
  const placed = { ...file, path: target, dirname: folder, basename: name, ...splitName(name) };
  if (file.secondaryFiles === undefined) return placed;
  return { ...placed, secondaryFiles: placeMembers(file.secondaryFiles, folder) };
}

function placeDirectory(directory: DirectoryValue, target: JobPath): DirectoryValue {
  const placed = { ...directory, path: target, basename: splitJobPath(target).name };
  return directory.listing === undefined ? placed : { ...placed, listing: placeMembers(directory.listing, target) };
}

function placeMembers(members: readonly FileOrDirectory[], folder: JobPath | ""): readonly FileOrDirectory[] {
  return members.map((member) => placeAt(member, joinJobPath(folder, nameOf(member))));
}

/** The name under which a File or Directory is staged. Fails if its address gives it none. */
export function nameOf(value: FileOrDirectory): SafeName {
  const name = value.basename ?? addressName(value);
  if (name !== undefined) return name;
  throw new CwlFailure(
    "INPUT_INVALID",
    `the address of a ${value.class} gives it no usable name: \`${value.location}\``,
    {
      hint: "give it a `basename`",
    },
  );
}

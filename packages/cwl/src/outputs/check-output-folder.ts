import { CwlFailure } from "../cwl-failure.ts";
import type { FileAccess, FolderEntry } from "../files/file-access.ts";
import { isWithin, joinUri, pathOfUri } from "../values/file-uri.ts";
import { limitExceeded, type CwlLimits } from "../limits.ts";
import type { OutputSpace } from "./output-space.ts";

interface FolderContext {
  readonly space: OutputSpace;
  readonly files: FileAccess;
  readonly limits: CwlLimits;
}

/**
 * Refuses a folder that holds, at any depth, a link out of the output folder or something that is neither file nor
 * folder (D12): whoever reads the output later must find data. Links to folders are not walked into. Folders that nest
 * deeper than a value can are refused with LIMIT_EXCEEDED.
 */
export function checkOutputFolder(folderUri: string, place: string, context: FolderContext): Promise<void> {
  return checkLevel(folderUri, { place, depth: 1 }, context);
}

interface Level {
  readonly place: string;
  readonly depth: number;
}

async function checkLevel(folderUri: string, { place, depth }: Level, context: FolderContext): Promise<void> {
  if (depth > context.limits.valueDepth)
    throw limitExceeded("valueDepth", context.limits, { what: "the nesting of folders in the output", place });
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
    } else if (entry.kind === "directory") await checkLevel(entry.uri, { place, depth: depth + 1 }, context);
  }
}

async function isItself(entry: FolderEntry, realFolder: string, files: FileAccess): Promise<boolean> {
  const real = await files.realUri(entry.uri);
  return (
    real !== undefined && isWithin(real, realFolder) && pathOfUri(real) === pathOfUri(joinUri(realFolder, entry.name))
  );
}

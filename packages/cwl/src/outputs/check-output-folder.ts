import { CwlFailure } from "../cwl-failure.ts";
import type { FileAccess, FolderEntry } from "../files/file-access.ts";
import { isWithin, joinUri, pathOfUri } from "../files/value/file-uri.ts";
import type { OutputSpace } from "./output-space.ts";

interface FolderContext {
  readonly space: OutputSpace;
  readonly files: FileAccess;
}

/**
 * Refuses a folder that holds, at any depth, a link out of the output folder or something that is neither file nor
 * folder (D12): whoever reads the output later must find data. Links to folders are not walked into.
 */
export async function checkOutputFolder(folderUri: string, place: string, context: FolderContext): Promise<void> {
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
    } else if (entry.kind === "directory") await checkOutputFolder(entry.uri, place, context);
  }
}

async function isItself(entry: FolderEntry, realFolder: string, files: FileAccess): Promise<boolean> {
  const real = await files.realUri(entry.uri);
  return (
    real !== undefined && isWithin(real, realFolder) && pathOfUri(real) === pathOfUri(joinUri(realFolder, entry.name))
  );
}

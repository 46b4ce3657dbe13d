import type { FileValue } from "../model/cwl-value.ts";
import type { FileAccess } from "./file-access.ts";

/** CWL v1.2 CommandLineTool.html#LoadContents. */
export const CONTENTS_LIMIT_BYTES = 64 * 1024;

export interface LoadedContents {
  readonly file: FileValue;
  /** Why the contents were not loaded, in a sentence. */
  readonly problem?: string;
}

/**
 * A File with its text in `contents`. Larger files than 64 KiB are refused, or cut there for documents before v1.2,
 * whose specification says so (`truncate`).
 */
export async function loadContents(
  file: FileValue,
  { files, truncate }: { readonly files: FileAccess; readonly truncate: boolean },
): Promise<LoadedContents> {
  if (file.location === undefined) return { file };
  const size = file.size ?? (await files.stat(file.location))?.size ?? 0;
  if (size > CONTENTS_LIMIT_BYTES && !truncate) {
    return {
      file,
      problem: `\`${file.basename ?? file.location}\` has ${size} bytes; loadContents takes at most ${CONTENTS_LIMIT_BYTES}`,
    };
  }
  return { file: { ...file, contents: await files.readText(file.location, CONTENTS_LIMIT_BYTES) } };
}

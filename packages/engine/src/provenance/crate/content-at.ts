import type { Reach } from "../../files/beneath/reach.ts";
import { runLater } from "../../files/beneath/steps.ts";
import { hashOpenFile } from "../../files/hash-file.ts";

/** Identifies a content, as far as recorded: `sha1$…`, SHA-256 in hexadecimal digits, bytes. */
export interface Content {
  readonly checksum: string | null;
  readonly sha256: string | null;
  readonly size: number | null;
}

export const UNKNOWN_CONTENT: Content = { checksum: null, sha256: null, size: null };

/** The record of the file at a path, completed from its current content. Rejects if nothing can be read there. */
export async function contentAt(path: string, recorded: Content, reach: Reach): Promise<Content> {
  if (recorded.sha256 !== null && recorded.checksum !== null && recorded.size !== null) return recorded;
  using file = await runLater(reach.openFile(path));
  const { sha1, sha256, sizeBytes } = await hashOpenFile(file, path);
  // Completes a record without SHA-256 only if it describes these bytes.
  if (recorded.checksum !== null && recorded.checksum !== sha1) return recorded;
  return { checksum: sha1, sha256, size: sizeBytes };
}

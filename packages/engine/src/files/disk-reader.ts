import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { decodeUtf8 } from "@weft/cwl/values/decode-utf8.ts";
import type { DocumentReader } from "@weft/cwl/document/document-reader.ts";
import { undefinedIfMissing } from "./beneath/undefined-if-missing.ts";

/** Reads documents from this machine's disk. Folders, missing files and all other addresses are unreadable. */
export const diskReader: DocumentReader = {
  read: async (uri) => {
    const path = localPath(uri);
    return path === undefined ? undefined : readFile(path).then((bytes) => decodeUtf8(bytes), unreadable);
  },
};

/** The path of a `file:` URL; undefined for a URL of another machine or with an invalid path. */
function localPath(uri: string): string | undefined {
  if (!URL.canParse(uri) || /%2f|%00/i.test(uri)) return undefined;
  const url = new URL(uri);
  return url.protocol === "file:" && url.host === "" ? fileURLToPath(url) : undefined;
}

function unreadable(error: NodeJS.ErrnoException): undefined {
  return error.code === "EISDIR" ? undefined : undefinedIfMissing(error);
}

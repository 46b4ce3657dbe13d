import { createHash } from "node:crypto";
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { FileAccess, FileStat } from "../file-access.ts";
import { decodeUtf8 } from "../../values/decode-utf8.ts";
import { joinUri } from "../../values/file-uri.ts";

/** The real disk, for tests that read the conformance suite. */
export const DISK_FILES: FileAccess = {
  stat: async (uri) => statOf(uri),
  list: async (uri) =>
    readdirSync(fileURLToPath(uri))
      .toSorted()
      .map((name) => ({
        name,
        uri: joinUri(uri, name),
        ...(statOf(joinUri(uri, name)) ?? { kind: "other", size: 0 }),
      })),
  readText: async (uri, maxBytes) => {
    const bytes = readFileSync(fileURLToPath(uri));
    return decodeUtf8(bytes.subarray(0, maxBytes), { isCut: bytes.length > maxBytes });
  },
  checksum: async (uri) =>
    `sha1$${createHash("sha1")
      .update(readFileSync(fileURLToPath(uri)))
      .digest("hex")}`,
  realUri: async (uri) =>
    statOf(uri) === undefined ? undefined : pathToFileURL(realpathSync(fileURLToPath(uri))).href,
};

function statOf(uri: string): FileStat | undefined {
  const found = statSync(fileURLToPath(uri), { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  return {
    kind: found.isFile() ? "file" : found.isDirectory() ? "directory" : "other",
    size: found.isFile() ? found.size : 0,
  };
}

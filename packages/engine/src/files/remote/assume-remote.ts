import type { FileAccess } from "@weft/cwl/files/file-access.ts";
import { isRemote } from "./remote-url.ts";

/** File access for planning, which treats remote files as existing and empty, and never fetches them. */
export function assumeRemote(disk: FileAccess): FileAccess {
  return {
    isRemote,
    stat: async (uri) => (isRemote(uri) ? { kind: "file", size: 0 } : disk.stat(uri)),
    list: (uri) => disk.list(uri),
    readText: async (uri, maxBytes) => (isRemote(uri) ? "" : disk.readText(uri, maxBytes)),
    checksum: async (uri) => disk.checksum(uri),
    realUri: async (uri) => (isRemote(uri) ? uri : disk.realUri(uri)),
  };
}

import type { FileAccess } from "@weft/cwl/files/file-access.ts";
import { isRemote } from "./remote-url.ts";

/** Combines the remote files of a run with another view of this machine's disk. */
export function onDisk(files: FileAccess, disk: FileAccess): FileAccess {
  const over = (uri: string) => (isRemote(uri) ? files : disk);
  return {
    isRemote: (uri) => files.isRemote?.(uri) ?? false,
    stat: (uri) => over(uri).stat(uri),
    list: (uri) => over(uri).list(uri),
    readText: (uri, maxBytes) => over(uri).readText(uri, maxBytes),
    checksum: (uri) => over(uri).checksum(uri),
    realUri: (uri) => over(uri).realUri(uri),
  };
}

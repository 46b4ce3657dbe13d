import { decodeEscapes } from "@weft/shared/text/decode-escapes.ts";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import { decodeUtf8 } from "@weft/cwl/values/decode-utf8.ts";
import type { DocumentReader } from "@weft/cwl/document/document-reader.ts";

/** The virtual folder of an import's files, from which no reference leads to this machine's disk. */
const ROOT = "file:///imported/files/";

export interface ImportedFile {
  readonly content: Buffer;
  readonly isExecutable: boolean;
}

/** The files of an import by their paths, which stay below one folder. */
export type ImportedFiles = ReadonlyMap<string, ImportedFile>;

/** Files whose source says nothing about their permissions. */
export function plainFiles(contents: ReadonlyMap<string, Uint8Array>): ImportedFiles {
  return new Map([...contents].map(([path, bytes]) => [path, { content: Buffer.from(bytes), isExecutable: false }]));
}

export function uriOfFile(path: string): string {
  return ROOT + path.split("/").map(encodeURIComponent).join("/");
}

/** The path of a file at an address; undefined for addresses elsewhere. */
export function pathOfFile(uri: string): string | undefined {
  return uri.startsWith(ROOT) ? decodeEscapes(uri.slice(ROOT.length)) : undefined;
}

export function readerOf(files: ImportedFiles): DocumentReader {
  return {
    read: async (uri) => {
      const file = files.get(pathOfFile(uri) ?? "");
      return file === undefined ? undefined : decodeUtf8(file.content);
    },
  };
}

/** The address of a file in a version, as if the catalog were in a folder of its own. */
export function uriInCatalog(path: string): string {
  return pathToUri(`/weft/catalog/${path}`);
}

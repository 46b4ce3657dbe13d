import type { DocumentReader } from "@weft/cwl/document/document-reader.ts";

/** Address of the catalog's root within the language service, which knows files only by URI. */
const CATALOG_URI = "file:///catalog/";

/** Reads documents of the catalog, each once; a document that the catalog does not have yet is unreadable. */
export function catalogReader(fetchText: (path: string) => Promise<string | undefined>): DocumentReader {
  const known = new Map<string, Promise<string | undefined>>();
  return {
    read: (uri) => {
      if (!uri.startsWith(CATALOG_URI)) return Promise.resolve(undefined);
      const path = decodeURIComponent(uri.slice(CATALOG_URI.length));
      const reading = known.get(path) ?? fetchText(path);
      known.set(path, reading);
      // Without a connection, or before it is published, it is read again next time.
      reading.then((text) => text === undefined && known.delete(path)).catch(() => known.delete(path));
      return reading;
    },
  };
}

/** The URI of a document by its path below the catalog folder. */
export function uriOfPath(path: string): string {
  return CATALOG_URI + path.split("/").map(encodeURIComponent).join("/");
}

/** A message of the language service with paths below the catalog folder instead of URIs. */
export function withPaths(message: string): string {
  return message.replaceAll(CATALOG_URI, "");
}

/** The path below the catalog folder of a document that the language service read. */
export function pathOfUri(uri: string): string {
  return decodeURIComponent(uri.startsWith(CATALOG_URI) ? uri.slice(CATALOG_URI.length) : uri);
}

import type { DocumentReader } from "./document-reader.ts";

/** A reader over documents in memory, by absolute URI: for packed documents, editors and tests. */
export function memoryDocumentReader(texts: { readonly [uri: string]: string }): DocumentReader {
  const byUri = new Map(Object.entries(texts));
  return { read: async (uri) => byUri.get(uri) };
}

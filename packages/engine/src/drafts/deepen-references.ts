import { editReferences } from "./edit-references.ts";

/**
 * Adapts a document to a folder one level deeper: each reference that leaves the folder gets one more `../`. Everything
 * else stays unchanged.
 */
export function deepenReferences(text: string): string {
  return editReferences(text, "file:///outer/folder/document", ({ written }) =>
    written.startsWith("../") ? `../${written}` : undefined,
  );
}

import { editReferences } from "./edit-references.ts";

/**
 * The text of a document for a folder one level deeper: each reference that leaves the folder climbs one folder higher.
 * Everything else stays as it is written.
 */
export function deepenReferences(text: string): string {
  return editReferences(text, "file:///outer/folder/document", ({ written }) =>
    written.startsWith("../") ? `../${written}` : undefined,
  );
}

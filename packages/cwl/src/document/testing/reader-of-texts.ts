import { memoryDocumentReader } from "../memory-document-reader.ts";

/** File name → content; all of them are in the folder `file:///w/`. */
export type Texts = Readonly<Record<string, string>>;

/** Creates a reader that finds the texts by their URIs. */
export function readerOfTexts(files: Texts) {
  return memoryDocumentReader(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [`file:///w/${name}`, text])),
  );
}

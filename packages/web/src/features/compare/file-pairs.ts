import { mediaTypeOf } from "@weft/shared/media-type-of.ts";
import { isTooLarge, previewKind } from "../../components/preview/preview-kind.ts";
import { type FileValue, fileName } from "../../format/value-text.ts";
import { type ComparedThing, MARKS } from "./compare-runs.ts";

/** Larger texts are not read into the page. */
export const MAX_TEXT_BYTES = 64 * 1024;

/** An output for which two runs have different files, which users can view side by side. */
export interface FilePair {
  readonly name: string;
  /** Label of the other run; the first is always `A`. */
  readonly mark: string;
  readonly kind: "text" | "image" | "volume";
  readonly before: FileValue;
  readonly after: FileValue;
}

/** Files that can be viewed side by side: texts line by line, images, volumes. */
export function filePairs({ section, isSame, name, files, differs }: ComparedThing): readonly FilePair[] {
  if (section !== "Outputs" || isSame) return [];
  return files.flatMap((after, place) => {
    const [before, mark] = [files[0], MARKS[place]];
    if (differs[place] !== true || before === undefined || after === undefined || mark === undefined) return [];
    const kind = kindOf(before);
    return kind !== undefined && kind === kindOf(after) ? [{ name, mark, kind, before, after }] : [];
  });
}

/** A file with an unknown extension may be text; its content decides once it is read. */
const MAYBE_TEXT = /^(text\/|application\/(json|ld\+json|x-ndjson|xml|octet-stream))/;

function kindOf(file: FileValue): FilePair["kind"] | undefined {
  const { size } = file;
  const name = fileName(file);
  if (file.class !== "File" || size === undefined || isTooLarge(name, size)) return undefined;
  const preview = previewKind(name);
  if (preview === "image") return "image";
  if (preview === "nifti") return "volume";
  return size <= MAX_TEXT_BYTES && MAYBE_TEXT.test(mediaTypeOf(name)) ? "text" : undefined;
}

/** Whether bytes decoded as UTF-8 were text. */
export function isText(content: string): boolean {
  return !content.includes("\0") && !content.includes("\uFFFD");
}

/** Whether two texts differ only in line endings, or in the one at the very end. */
export function differsInLineEndsOnly(a: string, b: string): boolean {
  const lines = (text: string): string => text.replaceAll("\r\n", "\n").replace(/\n$/, "");
  return a !== b && lines(a) === lines(b);
}

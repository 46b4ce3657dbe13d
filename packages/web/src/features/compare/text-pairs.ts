import { mediaTypeOf } from "@weft/shared/media-type-of.ts";
import { fileName, type FileValue } from "../../format/value-text.ts";
import { MARKS, type ComparedThing } from "./compare-runs.ts";

/** Larger files are not read into the page. */
export const MAX_TEXT_BYTES = 64 * 1024;

/** An output that two runs have as different small files, which may be texts. */
export interface TextPair {
  readonly name: string;
  /** That of the other run; the first is always `A`. */
  readonly mark: string;
  readonly before: FileValue;
  readonly after: FileValue;
}

/** What can be shown line by line: outputs that differ, where both are small files and neither is known to be no text. */
export function textPairs(things: readonly ComparedThing[]): readonly TextPair[] {
  return things
    .filter(({ section, isSame }) => section === "Outputs" && !isSame)
    .flatMap(({ name, files, differs }) =>
      files.flatMap((after, place) => {
        const [before, mark] = [files[0], MARKS[place]];
        if (differs[place] !== true || before === undefined || after === undefined || mark === undefined) return [];
        return isSmallText(before) && isSmallText(after) ? [{ name, mark, before, after }] : [];
      }),
    );
}

/** A name that says nothing may be that of a text: then the content decides, once it is read. */
const MAYBE_TEXT = /^(text\/|image\/svg|application\/(json|ld\+json|x-ndjson|xml|octet-stream))/;

function isSmallText(file: FileValue): boolean {
  const { size } = file;
  return (
    file.class === "File" &&
    size !== undefined &&
    size <= MAX_TEXT_BYTES &&
    MAYBE_TEXT.test(mediaTypeOf(fileName(file)))
  );
}

/** Whether bytes that were read as UTF-8 were a text. */
export function isText(content: string): boolean {
  return !content.includes("\0") && !content.includes("\uFFFD");
}

/** Whether two texts are the same but for line ends of another system, or the one at the very end. */
export function differsInLineEndsOnly(a: string, b: string): boolean {
  const lines = (text: string): string => text.replaceAll("\r\n", "\n").replace(/\n$/, "");
  return a !== b && lines(a) === lines(b);
}

import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import { pointerSegments } from "@weft/cwl/document/yaml/node-at-pointer.ts";
import type { CwlValue, FileValue } from "@weft/cwl/model/cwl-value.ts";
import { fieldOf, isArray, isObject } from "@weft/cwl/values/value-kind.ts";
import { compareValues, inRange, shownValue } from "./compare-expected.ts";
import { EXACT, type Expected, type ImageExpectation, type Judged } from "./tool-test.ts";

/** Reads and compares the files that tests check. */
export interface OutputFiles {
  /** The whole text of an output. Rejects with an Error whose message says why it cannot be read. */
  readText(file: FileValue): Promise<string>;
  /** The content of an image by its URI, an output or a file next to a test. Rejects like `readText`. */
  readImage(location: string): Promise<Uint8Array>;
  /** Whether a pattern matches, with `^` and `$` for lines. Rejects if that takes too long. */
  matches(pattern: string, text: string): Promise<boolean>;
  /** Fraction of the values, 0 to 1, that are further apart than the tolerance. Rejects if the images cannot be compared. */
  compareImages(actual: Uint8Array, expected: Uint8Array, tolerance: number): Promise<number>;
}

/** Compares the content of a file with an expectation, which an unreadable file does not meet. */
export async function judgeContent(file: FileValue, expected: Expected, files: OutputFiles): Promise<Judged> {
  try {
    if (expected.kind === "image") return await judgeImage(file, expected, files);
    return await judgeText(await files.readText(file), expected, files);
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error) };
  }
}

async function judgeImage(
  file: FileValue,
  { location, tolerance, outliers }: ImageExpectation,
  files: OutputFiles,
): Promise<Judged> {
  const part = await files.compareImages(
    await files.readImage(file.location ?? ""),
    await files.readImage(location),
    tolerance,
  );
  if (part <= outliers) return undefined;
  return {
    message: `${percent(part)} of the values are further than ${tolerance} from the expected image; at most ${percent(outliers)} may be`,
  };
}

function percent(part: number): string {
  return `${Number((part * 100).toPrecision(3))}%`;
}

async function judgeText(
  text: string,
  expected: Exclude<Expected, ImageExpectation>,
  files: OutputFiles,
): Promise<Judged> {
  switch (expected.kind) {
    case "lines":
      return inRange(countLines(text), expected.range, "lines");
    case "contents": {
      const unmet = compareValues(text, expected.text, EXACT);
      return unmet && { message: unmet.message };
    }
    case "contains":
      return text.includes(expected.text) ? undefined : { message: `does not contain ${shownValue(expected.text)}` };
    case "not_contains":
      return text.includes(expected.text) ? { message: `contains ${shownValue(expected.text)}` } : undefined;
    case "matches":
      if (await files.matches(expected.pattern, text)) return undefined;
      return { message: `does not match /${expected.pattern}/` };
    case "json":
      return judgeJson(text, expected);
    default:
      throw new Error(`${expected.kind} does not concern the content of a file`);
  }
}

/** A last line without a line end counts too. */
function countLines(text: string): number {
  const ends = text.split("\n").length - 1;
  return text === "" || text.endsWith("\n") ? ends : ends + 1;
}

function judgeJson(text: string, { pointer, value, margin }: Expected & { readonly kind: "json" }): Judged {
  const found = atPointer(parseExactJson(text) as CwlValue, pointer); // JSON holds only CWL values
  if (found === undefined) return { message: "is missing" };
  return compareValues(found, value, margin);
}

function atPointer(root: CwlValue, pointer: string): CwlValue | undefined {
  let value: CwlValue | undefined = root;
  for (const segment of pointerSegments(pointer)) {
    if (isArray(value)) value = /^\d+$/.test(segment) ? value[Number(segment)] : undefined;
    else value = isObject(value) ? fieldOf(value, segment) : undefined;
  }
  return value;
}

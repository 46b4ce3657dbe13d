import type { ComparedThing, Tolerance } from "@weft/shared/records/comparison-record.ts";
import type { Reach } from "../../files/beneath/reach.ts";
import { runLater } from "../../files/beneath/steps.ts";
import { digestOf } from "../../files/hash-file.ts";
import type { FileRow } from "../../journal/rows.ts";
import { compareNumbers } from "./compare-numbers.ts";

export interface FileComparison {
  readonly tolerance: Tolerance;
  readonly reach: Reach;
  /** The real path for a portable URL; undefined if it is not on this machine. */
  readonly resolve: (uri: string) => Promise<string | undefined>;
}

type Result = Pick<ComparedThing, "result" | "detail">;

/** Larger files are compared by their checksums alone. */
const READ_BYTES = 16 * 1024 * 1024;

/** A file without a recorded hash (a script that comes with a tool) counts as equal if its URL is. */
export function isSameContent(a: FileRow, b: FileRow): boolean {
  if (a.checksum === null && b.checksum === null) return a.uri === b.uri;
  if (a.sha256 !== null && b.sha256 !== null) return a.sha256 === b.sha256;
  return a.checksum !== null && a.checksum === b.checksum;
}

/** Compares two files at the same path: by checksum, and by content if the checksums differ. */
export async function compareFiles(a: FileRow, b: FileRow, comparison: FileComparison): Promise<Result> {
  if (a.class !== b.class) return { result: "different", detail: `${a.class} and ${b.class}` };
  if (a.name !== b.name) return { result: "different", detail: `named ${a.name} and ${b.name}` };
  if (a.class === "Directory" || isSameContent(a, b)) return { result: "identical", detail: null };
  const [first, second] = await Promise.all([readText(a, comparison), readText(b, comparison)]);
  if (first === undefined || second === undefined) return { result: "different", detail: sizes(a, b) };
  const { tolerance } = comparison;
  const numbers = compareNumbers(a.name, [first, second], tolerance);
  if (numbers?.isWithin === true && (tolerance.relative > 0 || tolerance.absolute > 0))
    return { result: "within_tolerance", detail: `numbers differ by at most ${numbers.largest}` };
  if (numbers?.isWithin === false) return { result: "different", detail: numbers.detail };
  return { result: "different", detail: firstDifference(first, second) };
}

/** The text of a file; undefined if the file is large, missing, changed or not text. */
async function readText({ uri, size, checksum }: FileRow, comparison: FileComparison): Promise<string | undefined> {
  if (size === null || size > READ_BYTES) return undefined;
  const path = await comparison.resolve(uri);
  if (path === undefined) return undefined;
  using file = await runLater(comparison.reach.openFile(path));
  const content = await runLater(file.read(0, READ_BYTES));
  if (digestOf(content).sha1 !== checksum) return undefined;
  const text = content.toString("utf8");
  return text.includes("\0") || text.includes("\uFFFD") ? undefined : text;
}

function sizes(a: FileRow, b: FileRow): string {
  return a.size === b.size ? "same size, different content" : `${a.size ?? "?"} and ${b.size ?? "?"} bytes`;
}

const SHOWN_SIGNS = 120;

function firstDifference(a: string, b: string): string {
  const [left, right] = [a.split("\n"), b.split("\n")];
  const line = left.findIndex((text, index) => text !== right[index]);
  const at = line < 0 ? left.length : line;
  const shown = (text: string | undefined) =>
    text === undefined ? "its end" : JSON.stringify(text.slice(0, SHOWN_SIGNS));
  return `line ${at + 1}: ${shown(left[at])} and ${shown(right[at])}`;
}

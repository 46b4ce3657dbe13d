import type { CwlObject, CwlValue, FileOrDirectory, FileValue } from "@weft/cwl/model/cwl-value.ts";
import { canonicalText } from "../../values/canonical-text.ts";
import { isFileOrDirectory } from "../../values/map-files.ts";
import { fileName } from "./value-digest.ts";

const SHOWN_CHARACTERS = 40;

/** How two values differ, of which it is known that they do: `sub-01.nii.gz changed`, `0.5 → 0.7`. */
export function inputDifference(before: CwlValue, now: CwlValue): string {
  if (isFileOrDirectory(before) && isFileOrDirectory(now)) return fileDifference(before, now);
  if (Array.isArray(before) && Array.isArray(now)) return listDifference(before, now);
  if (isPlain(before) && isPlain(now)) return `${shown(before)} → ${shown(now)}`;
  if (isRecord(before) && isRecord(now)) return recordDifference(before, now);
  return `${kindOf(before)} → ${kindOf(now)}`;
}

function fileDifference(before: FileOrDirectory, now: FileOrDirectory): string {
  const [was, is] = [fileName(before), fileName(now)];
  if (was !== is) return `${was} → ${is}`;
  if (now.class === "Directory" || before.class === "Directory") return `${is} changed`;
  return `${is}${contentDifference(before, now)}`;
}

function contentDifference(before: FileValue, now: FileValue): string {
  const isSameContent = before.checksum !== undefined && before.checksum === now.checksum;
  if (!isSameContent) return " changed";
  if (before.format !== now.format) return ` has another format (${before.format ?? "none"} → ${now.format ?? "none"})`;
  return besideDifference(before.secondaryFiles ?? [], now.secondaryFiles ?? []);
}

function besideDifference(before: readonly FileOrDirectory[], now: readonly FileOrDirectory[]): string {
  const was = new Map(before.map((file) => [fileName(file), file]));
  const is = new Map(now.map((file) => [fileName(file), file]));
  const fresh = [...is.keys()].find((name) => !was.has(name));
  if (fresh !== undefined) return `: its secondary file ${fresh} is new`;
  const gone = [...was.keys()].find((name) => !is.has(name));
  if (gone !== undefined) return `: its secondary file ${gone} is gone`;
  const other = [...is].find(([name, file]) => !seemsSame(was.get(name) ?? null, file));
  return other === undefined ? " changed" : `: its secondary file ${other[0]} changed`;
}

function listDifference(before: readonly CwlValue[], now: readonly CwlValue[]): string {
  return listOrNothing(before, now) ?? "changed";
}

/** Undefined where no element can be told apart from the one before. */
function listOrNothing(before: readonly CwlValue[], now: readonly CwlValue[]): string | undefined {
  if (before.length !== now.length) return `${elements(before)} → ${elements(now)}`;
  const places = now.flatMap((value, at) => (seemsSame(before[at] ?? null, value) ? [] : [at]));
  const [first] = places;
  if (first === undefined) return undefined;
  const more = places.length > 1 ? ` (and ${places.length - 1} more)` : "";
  return `${inputDifference(before[first] ?? null, now[first] ?? null)}${more}`;
}

function recordDifference(before: CwlObject, now: CwlObject): string {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  const name = names.find((field) => !seemsSame(before[field] ?? null, now[field] ?? null));
  return name === undefined ? "changed" : `${name}: ${inputDifference(before[name] ?? null, now[name] ?? null)}`;
}

/** As far as the log tells: a Directory has no checksum there. */
function seemsSame(before: CwlValue, now: CwlValue): boolean {
  return canonicalText(withoutPlaces(before)) === canonicalText(withoutPlaces(now));
}

function withoutPlaces(value: CwlValue): unknown {
  return JSON.parse(JSON.stringify(value), (_key, item: CwlValue) => {
    if (!isFileOrDirectory(item)) return item;
    const { location: _location, path: _path, ...rest } = item;
    return { ...rest, basename: fileName(item) };
  });
}

function isPlain(value: CwlValue): value is string | number | boolean | null {
  return typeof value !== "object" || value === null;
}

function isRecord(value: CwlValue): value is CwlObject {
  return !isPlain(value) && !Array.isArray(value) && !isFileOrDirectory(value);
}

function kindOf(value: CwlValue): string {
  if (isPlain(value)) return shown(value);
  if (Array.isArray(value)) return elements(value);
  return isFileOrDirectory(value) ? fileName(value) : "a record";
}

function elements(list: readonly CwlValue[]): string {
  return `${list.length} ${list.length === 1 ? "element" : "elements"}`;
}

function shown(value: string | number | boolean | null): string {
  const text = JSON.stringify(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

import { countText } from "@weft/shared/text/count-text.ts";
import type { CwlObject, CwlValue, FileOrDirectory, FileValue } from "@weft/cwl/model/cwl-value.ts";
import { isArray } from "@weft/cwl/values/value-kind.ts";
import type { CacheDifference, JobTool } from "@weft/shared/records/job-record.ts";
import { canonicalText } from "../../values/canonical-text.ts";
import { isFileOrDirectory, isScalar } from "../../values/map-files.ts";
import { fileName } from "./value-digest.ts";
import type { Digests } from "./job-key.ts";
import type { KeyParts } from "@weft/shared/events/job-events.ts";

const SHOWN_CHARACTERS = 40;

/** Values (elements, fields and everything inside them) that are compared; an input may have millions of them. */
export const MAX_COMPARED = 10_000;

/** The compared parts of a job. */
export interface ComparedJob {
  readonly parts: KeyParts;
  readonly tool: JobTool;
  /** The inputs, with checksums if they are known. */
  readonly inputs: CwlObject;
}

/** How a job differs from an earlier one, the tool first; empty if it does not. */
export function explainMiss(now: ComparedJob, before: ComparedJob): readonly CacheDifference[] {
  const { parts } = now;
  return [
    ...(parts.tool === before.parts.tool ? [] : [toolDifference(now.tool, before.tool)]),
    ...changed(parts.requirements, before.parts.requirements).map((name) =>
      digestDifference("requirement", name, [before.parts.requirements, parts.requirements]),
    ),
    ...containerDifference(parts.container, before.parts.container),
    ...resourceDifferences(parts, before.parts),
    ...environmentDifferences(parts, before.parts),
    ...changed(parts.files, before.parts.files).map((name) =>
      digestDifference("file", name, [before.parts.files, parts.files]),
    ),
    ...changed(parts.inputs, before.parts.inputs).map((name): CacheDifference => ({
      component: "input",
      name,
      message: `input ${name}: ${inputDifference(before.inputs[name] ?? null, now.inputs[name] ?? null)}`,
    })),
  ];
}

/** The first differences in one sentence. */
export function differenceText(diff: readonly CacheDifference[]): string {
  const shown = diff.slice(0, 3).map(({ message }) => message);
  const more = diff.length - shown.length;
  return `${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

function changed(now: Digests, before: Digests): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].filter((name) => now[name] !== before[name]);
}

function toolDifference(now: JobTool, before: JobTool): CacheDifference {
  const name = now.id ?? now.label;
  const message =
    now.id !== before.id
      ? `tool ${before.id ?? "in the document"} → ${now.id ?? "in the document"}`
      : now.version === before.version
        ? `tool${name === undefined ? "" : ` ${name}`} changed${now.version === null ? "" : ` under version ${now.version}`}`
        : `tool version ${before.version} → ${now.version}`;
  return { component: "tool", ...(name === undefined ? {} : { name }), message };
}

function digestDifference(
  component: "requirement" | "file",
  name: string,
  [before, now]: readonly [Digests, Digests],
): CacheDifference {
  const verb = before[name] === undefined ? "is new" : now[name] === undefined ? "is gone" : "changed";
  return { component, name, message: `${component} ${name} ${verb}` };
}

function containerDifference(now: string, before: string): readonly CacheDifference[] {
  return now === before ? [] : [{ component: "container", message: `container ${before} → ${now}` }];
}

function resourceDifferences({ resources: now }: KeyParts, { resources: before }: KeyParts): CacheDifference[] {
  const names = ["cores", "ram", "tmpdir", "outdir"] as const;
  return names
    .filter((name) => now[name] !== before[name])
    .map((name) => {
      const unit = name === "cores" ? "" : " MiB";
      return { component: "resources", name, message: `${name} ${before[name]}${unit} → ${now[name]}${unit}` };
    });
}

/** With a container on one side only, the environment differs anyway, and the list already says so. */
function environmentDifferences(now: KeyParts, before: KeyParts): CacheDifference[] {
  if (now.container !== before.container) return [];
  return changed(now.environment, before.environment).map((name) => ({
    component: "environment",
    name,
    message: name === "PATH" ? "the server's PATH changed" : "the machine differs",
  }));
}

/** The number of values that may still be compared. */
interface Work {
  left: number;
}

/** Describes how two different values differ: `sub-01.nii.gz changed`, `0.5 → 0.7`. */
export function inputDifference(before: CwlValue, now: CwlValue): string {
  return difference(before, now, { left: MAX_COMPARED });
}

function difference(before: CwlValue, now: CwlValue, work: Work): string {
  if (isFileOrDirectory(before) && isFileOrDirectory(now)) return fileDifference(before, now, work);
  if (Array.isArray(before) && Array.isArray(now)) return listDifference(before, now, work);
  if (isScalar(before) && isScalar(now)) return `${shown(before)} → ${shown(now)}`;
  if (isRecord(before) && isRecord(now)) return recordDifference(before, now, work);
  return `${kindOf(before)} → ${kindOf(now)}`;
}

function fileDifference(before: FileOrDirectory, now: FileOrDirectory, work: Work): string {
  const [was, is] = [fileName(before), fileName(now)];
  if (was !== is) return `${was} → ${is}`;
  if (now.class === "Directory" || before.class === "Directory") return `${is} changed`;
  return `${is}${contentDifference(before, now, work)}`;
}

function contentDifference(before: FileValue, now: FileValue, work: Work): string {
  const isSameContent = before.checksum !== undefined && before.checksum === now.checksum;
  if (!isSameContent) return " changed";
  if (before.format !== now.format) return ` has another format (${before.format ?? "none"} → ${now.format ?? "none"})`;
  return secondaryFileDifference(before.secondaryFiles ?? [], now.secondaryFiles ?? [], work);
}

function secondaryFileDifference(
  before: readonly FileOrDirectory[],
  now: readonly FileOrDirectory[],
  work: Work,
): string {
  const was = new Map(before.map((file) => [fileName(file), file]));
  const is = new Map(now.map((file) => [fileName(file), file]));
  const fresh = [...is.keys()].find((name) => !was.has(name));
  if (fresh !== undefined) return `: its secondary file ${fresh} is new`;
  const gone = [...was.keys()].find((name) => !is.has(name));
  if (gone !== undefined) return `: its secondary file ${gone} is gone`;
  const other = [...is].find(([name, file]) => !seemsSame(was.get(name) ?? null, file, work));
  return other === undefined ? " changed" : `: its secondary file ${other[0]} changed`;
}

/** `changed` if no compared element can be identified as different. */
function listDifference(before: readonly CwlValue[], now: readonly CwlValue[], work: Work): string {
  if (before.length !== now.length) return `${elements(before)} → ${elements(now)}`;
  let first: string | undefined;
  let more = 0;
  let compared = 0;
  for (const [at, value] of now.entries()) {
    if (work.left <= 0) break;
    compared++;
    const was = before[at] ?? null;
    if (seemsSame(was, value, work)) continue;
    if (first === undefined) first = difference(was, value, work);
    else more++;
  }
  const bound = compared < now.length ? `only the first ${compared} of ${now.length} elements were compared` : "";
  const notes = [more > 0 ? `and ${more} more` : "", bound].filter((note) => note !== "");
  return `${first ?? "changed"}${notes.length > 0 ? ` (${notes.join("; ")})` : ""}`;
}

function recordDifference(before: CwlObject, now: CwlObject, work: Work): string {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  for (const [compared, name] of names.entries()) {
    if (work.left <= 0) return `changed (only the first ${compared} of ${names.length} fields were compared)`;
    const [was, is] = [before[name] ?? null, now[name] ?? null];
    if (!seemsSame(was, is, work)) return `${name}: ${difference(was, is, work)}`;
  }
  return "changed";
}

/** Compares values as far as the log permits: it has no checksums of Directories, and locations are ignored. */
function seemsSame(before: CwlValue, now: CwlValue, work: Work): boolean {
  work.left--;
  if (work.left < 0) return true;
  if (isScalar(before) || isScalar(now)) return canonicalText(before) === canonicalText(now);
  if (isArray(before) || isArray(now)) return isSameList(before, now, work);
  if (isFileOrDirectory(before) !== isFileOrDirectory(now)) return false;
  const [was, is] = [withoutPlace(before), withoutPlace(now)];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].every((name) =>
    seemsSame(was[name] ?? null, is[name] ?? null, work),
  );
}

function isSameList(before: CwlValue, now: CwlValue, work: Work): boolean {
  if (!isArray(before) || !isArray(now) || before.length !== now.length) return false;
  return now.every((item, at) => seemsSame(before[at] ?? null, item, work));
}

function withoutPlace(value: CwlObject | FileOrDirectory): CwlObject {
  if (!isFileOrDirectory(value)) return value;
  const { location: _location, path: _path, ...rest } = value;
  return { ...rest, basename: fileName(value) };
}

function isRecord(value: CwlValue): value is CwlObject {
  return !isScalar(value) && !Array.isArray(value) && !isFileOrDirectory(value);
}

function kindOf(value: CwlValue): string {
  if (isScalar(value)) return shown(value);
  if (Array.isArray(value)) return elements(value);
  return isFileOrDirectory(value) ? fileName(value) : "a record";
}

function elements(list: readonly CwlValue[]): string {
  return countText(list.length, "element");
}

function shown(value: string | number | bigint | boolean | null): string {
  const text = JSON.stringify(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

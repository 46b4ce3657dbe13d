import { needsValue, assignability } from "@weft/cwl/model/assignability.ts";
import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import type { InputParameter, OutputParameter, Process } from "@weft/cwl/model/process.ts";
import { typeText } from "@weft/cwl/model/type-text.ts";
import { CHANGE_LEVELS, type ChangeLevel, type VersionProposal } from "@weft/shared/records/draft-record.ts";
import { inc, valid } from "semver";
import { canonicalText } from "../values/canonical-text.ts";

type Reason = VersionProposal["reasons"][number];

/** One side of a comparison. */
export interface VersionContent {
  readonly process: Process;
  /** Packed canonical JSON. */
  readonly packed: string;
}

/** The differences that matter to users of a tool or network, most serious first. */
export function compareContents(old: VersionContent, next: VersionContent): readonly Reason[] {
  const reasons = [
    ...compareClass(old.process, next.process),
    ...compareInputs(old.process.inputs, next.process.inputs),
    ...compareOutputs(old.process.outputs, next.process.outputs),
  ];
  const isSame = effectText(old.packed) === effectText(next.packed);
  if (!isSame && reasons.length === 0) reasons.push({ level: "minor", text: "What it does has changed" });
  if (isSame && old.packed !== next.packed)
    reasons.push({ level: "patch", text: "Labels or descriptions have changed" });
  return reasons.sort((a, b) => CHANGE_LEVELS.indexOf(a.level) - CHANGE_LEVELS.indexOf(b.level));
}

/** The next free version after `version`; `taken` are all versions that exist. */
export function nextVersion(version: string | null, level: ChangeLevel | null, taken: readonly string[]): string {
  if (version === null) return firstFree("1.0.0", "minor", taken);
  const known = valid(version);
  if (known === null) return firstFree("1.0.0", "major", taken);
  return firstFree(inc(known, level ?? "patch") ?? known, level ?? "patch", taken);
}

function firstFree(version: string, level: ChangeLevel, taken: readonly string[]): string {
  if (!taken.includes(version)) return version;
  return firstFree(inc(version, level) ?? `${version}.1`, level, taken);
}

function compareClass(old: Process, next: Process): Reason[] {
  if (old.class === next.class) return [];
  return [{ level: "major", text: `It was a ${old.class} and is a ${next.class}` }];
}

function compareInputs(old: readonly InputParameter[], next: readonly InputParameter[]): Reason[] {
  const now = new Map(next.map((input) => [input.id, input]));
  const before = new Map(old.map((input) => [input.id, input]));
  const changed = old.flatMap((input) => {
    const other = now.get(input.id);
    return other === undefined ? [major(`The input ${input.id} was removed`)] : compareInput(input, other);
  });
  const added = next
    .filter(({ id }) => !before.has(id))
    .map((input) =>
      needsValue(input)
        ? major(`The input ${input.id} was added and is required`)
        : minor(`The input ${input.id} was added`),
    );
  return [...changed, ...added];
}

function compareInput(old: InputParameter, next: InputParameter): Reason[] {
  if (needsValue(next) && !needsValue(old)) return [major(`The input ${next.id} is now required`)];
  if (assignability(old.type, next.type) !== "yes")
    return [major(`The input ${next.id} was ${typeText(old.type)} and is ${typeText(next.type)}`)];
  const reasons: Reason[] = [];
  if (typeText(old.type) !== typeText(next.type))
    reasons.push(minor(`The input ${next.id} takes more: ${typeText(next.type)}`));
  if (canonicalText(old.default ?? null) !== canonicalText(next.default ?? null))
    reasons.push(minor(`The default of the input ${next.id} has changed`));
  return reasons;
}

function compareOutputs(old: readonly OutputParameter[], next: readonly OutputParameter[]): Reason[] {
  const now = new Map(next.map((output) => [output.id, output]));
  const before = new Set(old.map(({ id }) => id));
  const changed = old.flatMap(({ id, type }) => {
    const other = now.get(id);
    if (other === undefined) return [major(`The output ${id} was removed`)];
    if (assignability(other.type, type) !== "yes")
      return [major(`The output ${id} was ${typeText(type)} and is ${typeText(other.type)}`)];
    return [];
  });
  return [...changed, ...next.filter(({ id }) => !before.has(id)).map(({ id }) => minor(`The output ${id} was added`))];
}

const major = (text: string): Reason => ({ level: "major", text });
const minor = (text: string): Reason => ({ level: "minor", text });

/** A packed document without its labels and descriptions. */
function effectText(packed: string): string {
  const forTools = (key: string, value: unknown) =>
    ["label", "doc", "intent"].includes(key) && isText(value) ? undefined : value;
  return canonicalText(parseExactJson(JSON.stringify(parseExactJson(packed), forTools)));
}

function isText(value: unknown): boolean {
  return typeof value === "string" || (Array.isArray(value) && value.every((item) => typeof item === "string"));
}

import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { CacheDifference, JobTool } from "@weft/shared/records/job-record.ts";
import { inputDifference } from "./input-difference.ts";
import type { Digests } from "../../journal/recorded-cache.ts";
import type { KeyParts } from "@weft/shared/events/job-events.ts";

/** The compared parts of a job. */
export interface ComparedJob {
  readonly parts: KeyParts;
  readonly tool: JobTool;
  /** With checksums where known. */
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

import type { Run } from "@weft/shared/records/run-record.ts";
import { JOB_STATE_ORDER, STATE_LOOKS } from "../../format/state-look.ts";
import { formatDuration } from "../../format/format-duration.ts";
import { fileName, isFileValue, isObject, type FileValue } from "../../format/value-text.ts";

export const SECTIONS = ["Run", "Inputs", "Outputs", "Steps"] as const;
export type Section = (typeof SECTIONS)[number];

/** One thing about two runs; the text of a side is undefined where it does not have the thing. */
export interface ComparedThing {
  readonly section: Section;
  readonly name: string;
  readonly sides: readonly [string | undefined, string | undefined];
  readonly isSame: boolean;
}

/**
 * Two runs side by side, value by value. Files are the same when their checksums are, wherever they lie; without
 * checksums when they lie in the same place. Times and identities differ between runs by nature and are left out.
 */
export function compareRuns(a: Run, b: Run): readonly ComparedThing[] {
  return [
    ...pair("Run", factsOf(a), factsOf(b)),
    ...pair("Inputs", leavesOf(a.inputs), leavesOf(b.inputs)),
    ...pair("Outputs", leavesOf(a.outputs ?? {}), leavesOf(b.outputs ?? {})),
    ...pair("Steps", stepsOf(a), stepsOf(b)),
  ];
}

interface Leaf {
  readonly text: string;
  /** Equal where the things are the same. */
  readonly identity: string;
}

type Leaves = ReadonlyMap<string, Leaf>;

/** In the order of the first, what only the second has behind it. */
function pair(section: Section, a: Leaves, b: Leaves): readonly ComparedThing[] {
  return [...new Set([...a.keys(), ...b.keys()])].map((name) => {
    const [left, right] = [a.get(name), b.get(name)];
    return { section, name, sides: [left?.text, right?.text], isSame: left?.identity === right?.identity };
  });
}

function plain(text: string): Leaf {
  return { text, identity: text };
}

function factsOf(run: Run): Leaves {
  const process = run.network ?? run.tool;
  const samples = run.samples.join(", ");
  return new Map([
    [run.network === undefined ? "Tool" : "Network", plain([process?.id, process?.version].filter(Boolean).join(" "))],
    ["Document", plain(process?.digest ?? "")],
    ["State", plain(STATE_LOOKS[run.state].word)],
    // Never the same, and never a difference that matters: shown with everything else only.
    ["Took", { text: run.duration_ms === null ? "not ended" : formatDuration(run.duration_ms), identity: "" }],
    ["When a job fails", plain(run.options.on_failure ?? "finish_running")],
    ["Jobs at the same time", plain(String(run.options.max_parallel_jobs ?? "as many as fit"))],
    [
      "Samples",
      { text: `${run.samples.length}: ${samples.slice(0, 80)}${samples.length > 80 ? "…" : ""}`, identity: samples },
    ],
  ]);
}

function stepsOf(run: Run): Leaves {
  return new Map(
    run.step_counts.map(({ step, job_counts }) => {
      const counts = JOB_STATE_ORDER.filter((state) => (job_counts[state] ?? 0) > 0);
      const text = counts.map((state) => `${job_counts[state]} ${STATE_LOOKS[state].word.toLowerCase()}`).join(", ");
      return [step === "" ? "the tool" : step, plain(text === "" ? "no job" : text)];
    }),
  );
}

/** Every single value by its place: `images[2]`, `settings.width`. */
function leavesOf(values: Readonly<Record<string, unknown>>): Leaves {
  const leaves = new Map<string, Leaf>();
  for (const [name, value] of Object.entries(values)) addLeaves(leaves, name, value);
  return leaves;
}

function addLeaves(leaves: Map<string, Leaf>, name: string, value: unknown): void {
  if (isFileValue(value)) leaves.set(name, { text: fileText(value), identity: fileIdentity(value) });
  else if (Array.isArray(value) && value.length > 0)
    value.forEach((entry, place) => addLeaves(leaves, `${name}[${place}]`, entry));
  else if (isObject(value) && Object.keys(value).length > 0)
    for (const [field, inner] of Object.entries(value)) addLeaves(leaves, `${name}.${field}`, inner);
  else leaves.set(name, plain(typeof value === "string" ? value : JSON.stringify(value ?? null)));
}

function fileText(file: FileValue): string {
  const more = (file.secondaryFiles ?? []).length;
  const parts = [fileName(file), file.checksum ?? "", more > 0 ? `and ${more} beside it` : ""];
  return parts.filter((part) => part !== "").join(" ");
}

function fileIdentity(file: FileValue): string {
  const own = file.checksum ?? file.location ?? file.path ?? JSON.stringify(file);
  const inner = [...(file.secondaryFiles ?? []), ...(file.listing ?? [])].map((part) => [
    fileName(part),
    fileIdentity(part),
  ]);
  // A folder is what it holds; where it lies says nothing.
  return file.class === "Directory" && file.listing !== undefined
    ? JSON.stringify(inner)
    : JSON.stringify([own, inner]);
}

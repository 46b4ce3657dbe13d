import { DEFAULT_FAILURE_POLICY } from "@weft/shared/records/run-parts.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { JOB_STATE_ORDER, STATE_LOOKS } from "../../format/state-look.ts";
import { fileName, isFileValue, isObject, type FileValue } from "../../format/value-text.ts";

export const SECTIONS = ["Run", "Inputs", "Outputs", "Steps"] as const;
export type Section = (typeof SECTIONS)[number];

/** How runs are called where they stand side by side, in their order; the first is the base. */
export const MARKS = ["A", "B", "C", "D"] as const;

/** One thing about several runs, in their order. */
export interface ComparedThing {
  readonly section: Section;
  readonly name: string;
  /** Undefined where a run does not have the thing. */
  readonly sides: readonly (string | undefined)[];
  /** Whether each is other than that of the base, which is the first and never differs. */
  readonly differs: readonly boolean[];
  /** Those sides that are files. */
  readonly files: readonly (FileValue | undefined)[];
  readonly isSame: boolean;
}

/**
 * Runs side by side, value by value, each held against the first. Files are the same when their checksums are, wherever
 * they lie; without checksums when they lie in the same place. Times and identities differ between runs by nature and
 * are left out.
 */
export function compareRuns(runs: readonly Run[]): readonly ComparedThing[] {
  return [
    ...lineUp("Run", runs.map(factsOf)),
    ...lineUp(
      "Inputs",
      runs.map(({ inputs }) => leavesOf(inputs ?? {})),
    ),
    ...lineUp(
      "Outputs",
      runs.map(({ outputs }) => leavesOf(outputs ?? {})),
    ),
    ...lineUp("Steps", runs.map(stepsOf)),
  ];
}

/** `same`, and of two runs `differs`, of more which: `B and D differ`. */
export function resultText({ isSame, differs }: Pick<ComparedThing, "isSame" | "differs">): string {
  if (isSame) return "same";
  const others = MARKS.filter((_, place) => differs[place] === true);
  if (differs.length === 2) return "differs";
  const last = others.at(-1) ?? "";
  return others.length === 1 ? `${last} differs` : `${others.slice(0, -1).join(", ")} and ${last} differ`;
}

interface Leaf {
  readonly text: string;
  /** Equal where the things are the same. */
  readonly identity: string;
  readonly file?: FileValue;
}

type Leaves = ReadonlyMap<string, Leaf>;

/** In the order of the first, what only the others have behind it. */
function lineUp(section: Section, runs: readonly Leaves[]): readonly ComparedThing[] {
  const names = new Set(runs.flatMap((leaves) => [...leaves.keys()]));
  return [...names].map((name) => {
    const leaves = runs.map((run) => run.get(name));
    const differs = leaves.map((leaf) => leaf?.identity !== leaves[0]?.identity);
    const sides = leaves.map((leaf) => leaf?.text);
    const files = leaves.map((leaf) => leaf?.file);
    return { section, name, sides, differs, files, isSame: !differs.includes(true) };
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
    ["When a job fails", plain(run.options.on_failure ?? DEFAULT_FAILURE_POLICY)],
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
  if (isFileValue(value)) leaves.set(name, { text: fileText(value), identity: fileIdentity(value), file: value });
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

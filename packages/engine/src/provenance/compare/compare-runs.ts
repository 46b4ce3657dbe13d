import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { ComparedThing, Verdict } from "@weft/shared/records/comparison-record.ts";
import type { RunState } from "@weft/shared/records/state.ts";
import { recordedValues } from "../../values/record-values.ts";
import type { LogReader } from "../../journal/log-reader.ts";
import type { FileRow, RunRow } from "../../journal/rows.ts";
import { compareFiles } from "./compare-files.ts";
import type { FileComparison } from "./compare-files.ts";
import { compareJobs } from "./compare-jobs.ts";
import { compareValues } from "./compare-values.ts";
import type { ToolsCompared } from "./compare-tools.ts";

export interface RunsToCompare {
  /** The reference run. */
  readonly first: RunRow;
  readonly second: RunRow;
}

const SHOWN = 200;
const EXACT = { relative: 0, absolute: 0 };

/** Whether the second of two ended runs produced the same as the first; if not, where they diverged. */
export async function compareRuns(runs: RunsToCompare, read: LogReader, comparison: FileComparison): Promise<Verdict> {
  const { first, second } = runs;
  const inputs = await compareSide(runs, "input", { read, comparison: { ...comparison, tolerance: EXACT } });
  const outputs = await compareSide(runs, "output", { read, comparison });
  const { surroundings, tools, firstDifference } = compareJobs(runs, read);
  const unrecorded = [first, second].filter((run) => filesByPlace(run, "input", read).size === 0);
  const notes = unrecorded.length === 1 ? ["the input files of one of the runs were not recorded"] : [];
  const differing = inputs.filter(({ result }) => result !== "identical");
  const notIdentical = outputs.filter(({ result }) => result !== "identical");
  const isDifferent = first.state !== second.state || outputs.some(({ result }) => result === "different");
  const facts = {
    result: isDifferent ? "different" : notIdentical.length > 0 ? "within_tolerance" : "identical",
    same_document: first.document === second.document,
    inputs_compared: inputs.length,
    outputs_compared: outputs.length,
    inputs: differing.slice(0, SHOWN),
    outputs: notIdentical.slice(0, SHOWN),
    surroundings: [...notes, ...surroundings].slice(0, SHOWN),
    first_difference: notIdentical.length > 0 || isDifferent ? firstDifference : null,
  } as const;
  const noticed = { inputs: differing.length, outputs: notIdentical.length, tools };
  return { ...facts, sentence: verdictSentence(facts, noticed, runs) };
}

interface Side {
  readonly read: LogReader;
  readonly comparison: FileComparison;
}

async function compareSide(
  { first, second }: RunsToCompare,
  direction: FileRow["direction"],
  { read, comparison }: Side,
): Promise<readonly ComparedThing[]> {
  const values = ({ inputs, outputs }: RunRow): CwlObject => {
    const digest = direction === "input" ? inputs : outputs;
    return digest === null ? {} : recordedValues(read.blob(digest));
  };
  const plain = compareValues(values(first), values(second), comparison.tolerance);
  const [left, right] = [filesByPlace(first, direction, read), filesByPlace(second, direction, read)];
  const files: ComparedThing[] = [];
  if (direction === "input" && isUnrecorded(left, right)) return plain;
  for (const name of new Set([...left.keys(), ...right.keys()])) {
    const [a, b] = [left.get(name), right.get(name)];
    if (a !== undefined && b !== undefined) files.push({ name, ...(await compareFiles(a, b, comparison)) });
    else files.push({ name, result: "different", detail: `only the ${a === undefined ? "second" : "first"} has it` });
  }
  // A file on one side only, which the other run has as null, is one difference.
  const places = new Set(files.map(({ name }) => name));
  return [...files, ...plain.filter(({ name }) => !places.has(name))];
}

/** Inputs are hashed in the background; a run that failed early, or whose files disappeared, may have no record. */
function isUnrecorded(left: ReadonlyMap<string, FileRow>, right: ReadonlyMap<string, FileRow>): boolean {
  return (left.size === 0) !== (right.size === 0);
}

function filesByPlace({ runId }: RunRow, direction: FileRow["direction"], read: LogReader): Map<string, FileRow> {
  const rows = read.filesOfRun(runId).filter((row) => row.jobId === null && row.direction === direction);
  return new Map(rows.map((row) => [row.port + row.place, row]));
}

/** What a verdict does not show: how many things differ in total, and whether tools do. */
export interface DifferenceCounts {
  readonly inputs: number;
  readonly outputs: number;
  readonly tools: ToolsCompared;
}

interface States {
  readonly first: Pick<RunRow, "state">;
  readonly second: Pick<RunRow, "state">;
}

const END_WORDS: Readonly<Partial<Record<RunState, string>>> = {
  COMPLETE: "succeeded",
  EXECUTOR_ERROR: "failed",
  SYSTEM_ERROR: "failed with a system error",
  CANCELED: "was aborted",
};

function endText({ state }: Pick<RunRow, "state">): string {
  return END_WORDS[state] ?? `ended as ${state}`;
}

/** The verdict in one sentence: what was equal, what was not, and where it began. */
export function verdictSentence(
  verdict: Omit<Verdict, "sentence">,
  counts: DifferenceCounts,
  { first, second }: States,
): string {
  const document = verdict.same_document ? "Same document" : "Different documents";
  const inputs =
    counts.inputs === 0
      ? "same inputs"
      : `${counts.inputs} of ${verdict.inputs_compared} inputs ${differ(counts.inputs)}`;
  const states = first.state === second.state ? "" : `the first ${endText(first)}, the second ${endText(second)}; `;
  return `${document}, ${inputs}${toolsText(verdict, counts)}: ${states}${outputsText(verdict, counts)}${whereText(verdict)}.`;
}

/** The tools of another document may differ in more than their containers. */
function toolsText({ same_document }: Pick<Verdict, "same_document">, { tools }: DifferenceCounts): string {
  if (tools === "other") return ", other tools or containers";
  return tools === "same" && same_document ? ", same tools" : "";
}

function outputsText(
  { result, outputs_compared: all }: Omit<Verdict, "sentence">,
  { outputs }: DifferenceCounts,
): string {
  if (all === 0) return "there are no outputs to compare";
  if (outputs === 0) return all === 1 ? "the output is identical" : `all ${all} outputs are identical`;
  const within = result === "within_tolerance" ? ", within the tolerance" : "";
  return `${outputs} of ${all} outputs ${differ(outputs)}${within}`;
}

function differ(count: number): string {
  return count === 1 ? "differs" : "differ";
}

function whereText({ first_difference: first }: Omit<Verdict, "sentence">): string {
  if (first === null) return "";
  const step = first.step === "" ? "in the tool" : `at step ${first.step}`;
  const sample = first.sample_id === null ? "" : ` (${first.sample_id})`;
  return `; first ${step}${sample}${first.output == null ? "" : `, output ${first.output}`}`;
}

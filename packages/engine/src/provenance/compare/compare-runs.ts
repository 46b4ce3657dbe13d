import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import { DEFAULT_LIMITS } from "@weft/shared/limits.ts";
import type { ComparedThing, Verdict } from "@weft/shared/records/comparison-record.ts";
import type { RunState } from "@weft/shared/records/state.ts";
import { numberText } from "@weft/shared/text/count-text.ts";
import type { PortableUris } from "../../files/portable-uri.ts";
import { isPartial } from "../../present/present-run.ts";
import { producedOutputs } from "../../present/produced-outputs.ts";
import { readRecorded } from "../../catalog/recorded-document.ts";
import { filesOf } from "../../values/map-files.ts";
import { recordedValues } from "../../values/record-values.ts";
import type { LogReader } from "../../journal/log-reader.ts";
import type { FileRow, RunRow } from "../../journal/rows.ts";
import { compareFiles, type FileComparison } from "./compare-files.ts";
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

export interface RunsComparison extends FileComparison {
  readonly uris: PortableUris;
}

/**
 * Compares the outputs of two ended runs, and finds the point at which they diverged. A failed or aborted run has the
 * outputs that its jobs produced, as on its page.
 */
export async function compareRuns(runs: RunsToCompare, read: LogReader, comparison: RunsComparison): Promise<Verdict> {
  const { first, second } = runs;
  const inputSides = [await inputsOf(first, read, comparison), await inputsOf(second, read, comparison)] as const;
  const made = [await outputsOf(first, read, comparison), await outputsOf(second, read, comparison)] as const;
  const inputs = isUnrecorded(inputSides)
    ? compareValues(inputSides[0].values, inputSides[1].values, EXACT)
    : await compareSides(inputSides, { ...comparison, tolerance: EXACT });
  const outputs = await compareSides(made, comparison);
  const { surroundings, tools, firstDifference } = compareJobs(runs, read);
  const notes = [
    ...(isUnrecorded(inputSides) ? ["the input files of one of the runs were not recorded"] : []),
    ...(made.every(({ isWhole }) => isWhole) ? [] : ["a run has too many jobs to compare all of its partial outputs"]),
  ];
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

/** The inputs or the outputs of a run. */
interface Side {
  readonly values: CwlObject;
  /** Files by output and path within it. */
  readonly files: ReadonlyMap<string, FileRow>;
  readonly isWhole: boolean;
}
type Sides = readonly [Side, Side];

function recordedSide({ runId, inputs, outputs }: RunRow, direction: FileRow["direction"], read: LogReader): Side {
  const digest = direction === "input" ? inputs : outputs;
  const rows = read.filesOfRun(runId).filter((row) => row.jobId === null && row.direction === direction);
  return {
    values: digest === null ? {} : recordedValues(read.blob(digest)),
    files: new Map(rows.map((row) => [row.port + row.place, row])),
    isWhole: true,
  };
}

/** The given inputs, with defaults for the others. */
async function inputsOf(row: RunRow, read: LogReader, { uris }: Pick<RunsComparison, "uris">): Promise<Side> {
  const { process } = (await readRecorded(row, { read, uris })) ?? {};
  const side = recordedSide(row, "input", read);
  const declared = (process?.inputs ?? []).map(
    ({ id, default: fallback }) => [id, side.values[id] ?? fallback] as const,
  );
  const all = [...Object.entries(side.values), ...declared].filter(([, value]) => value != null);
  return { ...side, values: Object.fromEntries(all) as CwlObject };
}

async function outputsOf(row: RunRow, read: LogReader, { uris }: Pick<RunsComparison, "uris">): Promise<Side> {
  const { process } =
    (row.outputs === null && isPartial(row) ? await readRecorded(row, { read, uris }) : undefined) ?? {};
  if (process?.class !== "Workflow") return recordedSide(row, "output", read);
  const options = { read, limits: DEFAULT_LIMITS, mostMissing: 0 };
  const { outputs: values, isWhole } = await producedOutputs(process, row, options);
  const written = read.filesOfRun(row.runId).filter(({ direction }) => direction === "output");
  const byUri = new Map(written.map((file) => [file.uri, file]));
  const files = filesOf(values).flatMap(({ port, place, file }) => {
    const found = byUri.get(file.location ?? "");
    return found === undefined ? [] : ([[port + place, { ...found, port, place }]] as const);
  });
  return { values, files: new Map(files), isWhole };
}

const RANKS = ["first", "second"] as const;

async function compareSides(sides: Sides, comparison: FileComparison): Promise<readonly ComparedThing[]> {
  const [left, right] = [sides[0].files, sides[1].files];
  const given = sides.map(({ values }) => new Set(filesOf(values).map(({ port, place }) => port + place)));
  const lackText = (name: string, lacking: 0 | 1) =>
    given[lacking]?.has(name) === true
      ? `the content in the ${RANKS[lacking]} run was not recorded`
      : `only the ${RANKS[1 - lacking]} has it`;
  const files: ComparedThing[] = [];
  for (const name of new Set([...left.keys(), ...right.keys()])) {
    const [a, b] = [left.get(name), right.get(name)];
    // One file after the other, because each may be read.
    // eslint-disable-next-line no-await-in-loop
    if (a !== undefined && b !== undefined) files.push({ name, ...(await compareFiles(a, b, comparison)) });
    else files.push({ name, result: "different", detail: lackText(name, a === undefined ? 0 : 1) });
  }
  // A file on one side only, which the other run has as null, is one difference.
  const places = new Set(files.map(({ name }) => name));
  const plain = compareValues(sides[0].values, sides[1].values, comparison.tolerance);
  return [...files, ...plain.filter(({ name }) => !places.has(name))];
}

/** Inputs are hashed in the background; a run that failed early, or whose files disappeared, may have no record. */
function isUnrecorded([a, b]: Sides): boolean {
  return (a.files.size === 0) !== (b.files.size === 0);
}

/** Facts that a verdict does not show: the total number of differences, and whether tools differ. */
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

/** The verdict in one sentence: equal outputs, different outputs, and the first difference. */
export function verdictSentence(
  verdict: Omit<Verdict, "sentence">,
  counts: DifferenceCounts,
  { first, second }: States,
): string {
  const document = verdict.same_document ? "Same document" : "Different documents";
  const inputs =
    counts.inputs === 0
      ? "same inputs"
      : `${numberText(counts.inputs)} of ${numberText(verdict.inputs_compared)} inputs ${differ(counts.inputs)}`;
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
  if (outputs === 0) return all === 1 ? "the output is identical" : `all ${numberText(all)} outputs are identical`;
  const within = result === "within_tolerance" ? ", within the tolerance" : "";
  return `${numberText(outputs)} of ${numberText(all)} outputs ${differ(outputs)}${within}`;
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

import type { Verdict } from "@weft/shared/records/comparison-record.ts";
import type { RunRow } from "../../journal/rows.ts";
import type { ToolsCompared } from "./compare-tools.ts";

/** What a verdict does not say: how many things differ in all, and whether tools do. */
export interface Noticed {
  readonly inputs: number;
  readonly outputs: number;
  readonly tools: ToolsCompared;
}

interface States {
  readonly first: Pick<RunRow, "state">;
  readonly second: Pick<RunRow, "state">;
}

/** The verdict in one sentence: what was the same, what was not, and where it began. */
export function verdictSentence(
  verdict: Omit<Verdict, "sentence">,
  counts: Noticed,
  { first, second }: States,
): string {
  const document = verdict.same_document ? "Same document" : "Another document";
  const inputs =
    counts.inputs === 0
      ? "same inputs"
      : `${counts.inputs} of ${verdict.inputs_compared} inputs ${differ(counts.inputs)}`;
  const states =
    first.state === second.state ? "" : `the first ended as ${first.state}, the second as ${second.state}; `;
  return `${document}, ${inputs}${toolsText(verdict, counts)}: ${states}${outputsText(verdict, counts)}${whereText(verdict)}.`;
}

/** Of another document the tools may say something else, whatever they run in. */
function toolsText({ same_document }: Pick<Verdict, "same_document">, { tools }: Noticed): string {
  if (tools === "other") return ", other tools or containers";
  return tools === "same" && same_document ? ", same tools" : "";
}

function outputsText({ result, outputs_compared: all }: Omit<Verdict, "sentence">, { outputs }: Noticed): string {
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

import { countText } from "@weft/shared/text/count-text.ts";
import { COMPARED, type ComparedThing, type Verdict } from "@weft/shared/records/comparison-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";

const WORDS: Readonly<Record<(typeof COMPARED)[number], string>> = {
  identical: "identical",
  within_tolerance: "within tolerance",
  different: "different",
};
const WIDTH = Math.max(...COMPARED.map((result) => WORDS[result].length)) + 2;

/** The result of reproducing a run as text: one sentence, then a line for each difference. */
export function verdictText(verdict: Verdict, run: Pick<Run, "state" | "state_reason">): string {
  const identical = verdict.outputs_compared - verdict.outputs.length;
  const lines = [
    verdict.sentence,
    ...verdict.outputs.map((thing) => thingLine(thing)),
    ...(verdict.outputs.length === 0 || identical <= 0
      ? []
      : [`  ${WORDS.identical.padEnd(WIDTH)}${countText(identical, "other")}`]),
    ...section("Inputs that differ:", verdict.inputs.map(thingLine)),
    ...section(
      "Other differences:",
      verdict.surroundings.map((text) => `  ${text}`),
    ),
    ...section(`The new run ended as ${run.state}:`, reasonLines(run)),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function thingLine({ name, result, detail }: ComparedThing): string {
  return `  ${WORDS[result].padEnd(WIDTH)}${name}${detail === null ? "" : `: ${detail}`}`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

function reasonLines({ state_reason: reason }: Pick<Run, "state_reason">): readonly string[] {
  if (reason == null) return [];
  return [`  ${reason.message}`, ...(reason.hint === undefined ? [] : [`  hint: ${reason.hint}`])];
}

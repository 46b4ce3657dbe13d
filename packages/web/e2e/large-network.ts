import { newFolder } from "./own-server.ts";

const TOOL = `cwlVersion: v1.2
class: CommandLineTool
label: Pass on
baseCommand: [cat]
inputs:
  - id: files
    type: File[]
    inputBinding: {}
outputs:
  - id: text
    type: stdout
stdout: text.txt
`;

/** Steps of one column of the drawing. */
const COLUMN = 50;

/**
 * A catalog with one tool, and the network `large` with the given number of steps, in
 * columns of fifty, each step reading the outputs of one to three steps of the previous column.
 */
export function largeCatalog(steps: number): Promise<string> {
  return newFolder({ "tools/pass/1.0.0/pass.cwl": TOOL, "networks/large/large.cwl": networkText(steps) });
}

function networkText(steps: number): string {
  const parts = Array.from({ length: steps }, (_, step) => stepText(step));
  return `cwlVersion: v1.2
class: Workflow
label: Large
requirements:
  - class: MultipleInputFeatureRequirement
inputs:
  - id: start
    type: File
outputs:
  - id: last
    type: File
    outputSource: step-${steps - 1}/text
steps:
${parts.join("")}`;
}

function stepText(step: number): string {
  const before = step < COLUMN ? ["start"] : sourcesOf(step).map((source) => `step-${source}/text`);
  return `  - id: step-${step}
    label: step-${step}
    run: ../../tools/pass/1.0.0/pass.cwl
    in:
      - { id: files, linkMerge: merge_flattened, source: [${before.join(", ")}] }
    out: [text]
`;
}

/** The step to the left of this one, and for some steps its two neighbors. */
function sourcesOf(step: number): readonly number[] {
  const left = step - COLUMN;
  const first = left - (left % COLUMN);
  return [
    left,
    ...(step % 3 === 0 ? [first + ((left + 7) % COLUMN)] : []),
    ...(step % 7 === 0 ? [first + ((left + 1) % COLUMN)] : []),
  ].filter((source, place, all) => all.indexOf(source) === place);
}

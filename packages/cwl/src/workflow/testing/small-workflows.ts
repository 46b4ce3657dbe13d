/** Workflows of a line or two, made of expression tools, for tests of networks. */
import { loadWorkflow } from "../../command/testing/load-process.ts";
import type { CwlObject } from "../../model/cwl-value.ts";
import { driveNetwork, type DriveOptions, type ScriptedExecutor } from "./drive-network.ts";

/** A step with the output `o`. */
export const step = (id: string, run: string, rest: string) => `  ${id}: {${rest}, out: [o], run: ${run}}`;

const HEAD = `requirements:
  - {class: InlineJavascriptRequirement}
  - {class: ScatterFeatureRequirement}
  - {class: SubworkflowFeatureRequirement}
  - {class: MultipleInputFeatureRequirement}
  - {class: StepInputExpressionRequirement}
`;

/** An ExpressionTool with the output `o`. */
export const tool = (inputs: string, type: string, expression: string) =>
  `{class: ExpressionTool, requirements: [{class: InlineJavascriptRequirement}], inputs: {${inputs}}, outputs: {o: ${JSON.stringify(type)}}, expression: ${JSON.stringify(`$({o: ${expression}})`)}}`;
export const ADD = tool("x: int, y: {type: int, default: 100}", "int", "inputs.x + inputs.y");
export const ECHO = tool('x: "Any?"', "Any", "inputs.x");

export const network = (inputs: string, outputs: string, steps: string) =>
  loadWorkflow(`${HEAD}inputs: {${inputs}}\noutputs:\n${outputs}\nsteps:\n${steps}`);
export const drive = async (parts: readonly [string, string, string], inputs: CwlObject, options?: DriveOptions) =>
  driveNetwork(await network(...parts), inputs, options);

export const output = (type: string, link: string) => `  r: {type: ${JSON.stringify(type)}, ${link}}`;

export const DIAMOND: readonly [string, string, string] = [
  "a: 'int[]'",
  `  good: {type: "Any", outputSource: left/o}\n  bad: {type: "Any", outputSource: join/o}\n  part: {type: "Any", outputSource: right/o}`,
  `  left: {run: ${ADD}, scatter: x, in: {x: a}, out: [o]}\n  right: {run: ${ADD}, scatter: x, in: {x: a}, out: [o]}\n  join: {run: ${ECHO}, in: {x: right/o, y: left/o}, out: [o]}\n  after: {run: ${ECHO}, in: {x: join/o}, out: [o]}`,
];
export const failing =
  (...ids: readonly string[]): ScriptedExecutor =>
  ({ id }) =>
    ids.includes(id) ? { status: "failed" } : undefined;

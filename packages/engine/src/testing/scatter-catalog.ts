import type { Files } from "@weft/shared/testing/temporary-folder.ts";

const REQUIREMENTS = `requirements:
  InlineJavascriptRequirement: {}
  ScatterFeatureRequirement: {}
  SubworkflowFeatureRequirement: {}
`;

const ECHO = `{ class: ExpressionTool, requirements: [{ class: InlineJavascriptRequirement }], inputs: { x: Any, y: Any?, z: Any? }, outputs: { o: Any }, expression: "$({o: inputs.x})" }`;
/** Creates a list whose length no request reveals. */
const MAKE = `{ class: ExpressionTool, requirements: [{ class: InlineJavascriptRequirement }], inputs: { n: int }, outputs: { o: "string[]" }, expression: "\${ return {o: Array.from({length: inputs.n}, (_, at) => 's' + at)} }" }`;

const workflow = (inputs: string, steps: string, out = "s") => `cwlVersion: v1.2
class: Workflow
$namespaces: { cwltool: "http://commonwl.org/cwltool#" }
${REQUIREMENTS}inputs: { ${inputs} }
outputs: { r: { type: Any, outputSource: ${out}/o } }
steps:
${steps}
`;
const crossed = (method: string) =>
  workflow(
    `a: "string[]", b: "string[]", c: "string[]"`,
    `  s: { run: ${ECHO}, scatter: [x, y, z], scatterMethod: ${method}, in: { x: a, y: b, z: c }, out: [o] }`,
  );
const INNER = `{ class: Workflow, requirements: [{ class: ScatterFeatureRequirement }], inputs: { x: Any, l: Any }, outputs: { o: { type: Any, outputSource: each/o } }, steps: { each: { run: ${ECHO}, scatter: x, in: { x: l }, out: [o] } } }`;
const MAKE_EACH = `{ class: Workflow, requirements: [{ class: ScatterFeatureRequirement }], inputs: { x: Any, n: int }, outputs: { o: { type: Any, outputSource: each/o } }, steps: { make: { run: ${MAKE}, in: { n: n }, out: [o] }, each: { run: ${ECHO}, scatter: x, in: { x: make/o }, out: [o] } } }`;
const IDLE = `{ class: Workflow, inputs: { again: boolean }, outputs: { o: { type: boolean, outputSource: again } }, steps: [] }`;

const NETWORKS: Readonly<Record<string, string>> = {
  each: workflow(`a: "string[]"`, `  s: { run: ${ECHO}, scatter: x, in: { x: a }, out: [o] }`),
  flat: crossed("flat_crossproduct"),
  nested: crossed("nested_crossproduct"),
  deep: workflow(`a: "string[]"`, `  s: { run: ${INNER}, scatter: x, in: { x: a, l: a }, out: [o] }`),
  made: workflow(
    `n: int`,
    `  make: { run: ${MAKE}, in: { n: n }, out: [o] }\n  s: { run: ${ECHO}, scatter: [x, y, z], scatterMethod: flat_crossproduct, in: { x: make/o, y: make/o, z: make/o }, out: [o] }`,
  ),
  "made-deep": workflow(
    `n: int`,
    `  make: { run: ${MAKE}, in: { n: n }, out: [o] }\n  s: { run: ${MAKE_EACH}, scatter: x, in: { x: make/o, n: n }, out: [o] }`,
  ),
  idle: workflow(
    `again: boolean`,
    `  s: { run: ${IDLE}, in: { again: again }, out: [o], requirements: { cwltool:Loop: { loopWhen: $(inputs.again), loop: { again: o } } } }`,
  ),
  count: workflow(
    `n: int`,
    `  make: { run: ${MAKE}, in: { n: n }, out: [o] }\n  s: { run: ${ECHO}, scatter: x, in: { x: make/o }, out: [o] }`,
  ),
};

/** Networks that scatter as widely as their inputs say; harmless with few elements. */
export const SCATTER_CATALOG: Files = Object.fromEntries(
  Object.entries(NETWORKS).map(([id, text]) => [`catalog/networks/${id}/${id}.cwl`, text]),
);

export const strings = (length: number): readonly string[] => Array.from({ length }, (_, at) => `s${at}`);

/** The document of one of them. */
export function scatterNetwork(id: string): string {
  const text = NETWORKS[id];
  if (text === undefined) throw new Error(`there is no network ${id}`);
  return text;
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { loadWorkflow } from "../command/testing/load-process.ts";
import { describeGraph, type NetworkGraph } from "./describe-graph.ts";

const OPERATION = "{class: Operation, label: An operation, inputs: {x: 'int?', y: 'int?'}, outputs: {o: 'int?'}}";

/** A line for each node and edge with all of its fields; lines of a nested graph follow its step. */
function shown({ nodes, edges }: NetworkGraph): string[] {
  return [...nodes, ...edges].flatMap((part) => {
    const { graph, ...fields } = { graph: undefined, ...part };
    const line = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
    if (graph === undefined) return [line.join(" ")];
    return [[...line, "graph:"].join(" "), ...shown(graph).map((inner) => `  ${inner}`)];
  });
}

test("a workflow as nodes and edges, nested ones inside", async () => {
  const workflow = await loadWorkflow(`
requirements: [{class: ScatterFeatureRequirement}, {class: SubworkflowFeatureRequirement}, {class: MultipleInputFeatureRequirement}]
inputs: {a: {type: "int[]", label: Numbers}, b: int}
outputs: {r: {type: Any, outputSource: [outer/p, b]}}
steps:
  each: {run: ${OPERATION}, scatter: [x, y], scatterMethod: nested_crossproduct, in: {x: a, y: a}, out: [o]}
  outer:
    label: Around
    when: $(null)
    in: {q: {source: each/o, default: 1}, none: {default: 2}}
    out: [p]
    run: {class: Workflow, inputs: {q: Any, none: int}, outputs: {p: {type: "int?", outputSource: inner/o}}, steps: {inner: {run: ${OPERATION}, in: {x: none}, out: [o]}}}
`);
  assert.deepEqual(shown(describeGraph(workflow)), [
    "id=input:a kind=input label=Numbers type_text=int[]",
    "id=input:b kind=input label=b type_text=int",
    "id=step:each kind=step label=each step=each class=Operation process_label=An operation scatter=true",
    "id=step:outer kind=step label=Around step=outer class=Workflow scatter=false conditional=true graph:",
    "  id=input:q kind=input label=q type_text=Any",
    "  id=input:none kind=input label=none type_text=int",
    "  id=step:inner kind=step label=inner step=outer/inner class=Operation process_label=An operation scatter=false",
    "  id=output:p kind=output label=p type_text=int?",
    "  from=input:none from_port=none to=step:inner to_port=x type_text=int",
    "  from=step:inner from_port=o to=output:p to_port=p type_text=int?",
    "id=output:r kind=output label=r type_text=Any",
    "from=input:a from_port=a to=step:each to_port=x type_text=int[]",
    "from=input:a from_port=a to=step:each to_port=y type_text=int[]",
    "from=step:each from_port=o to=step:outer to_port=q type_text=(int?)[][]",
    "from=step:outer from_port=p to=output:r to_port=r type_text=int?",
    "from=input:b from_port=b to=output:r to_port=r type_text=int",
  ]);
});

test("a step that loops is marked as a loop", async () => {
  const workflow = await loadWorkflow(`
requirements: [{class: InlineJavascriptRequirement}]
inputs: {a: int}
outputs: {}
steps:
  again:
    run: {class: ExpressionTool, inputs: {i: int}, outputs: {o: int}, expression: "\${return {o: inputs.i + 1}}"}
    in: {i: a}
    out: [o]
    requirements: {"cwltool:Loop": {loopWhen: $(inputs.i < 4), loop: {i: o}}}
`);
  const step = describeGraph(workflow).nodes.find(({ kind }) => kind === "step");
  assert.deepEqual([step?.loop, step?.conditional], [true, undefined]);
});

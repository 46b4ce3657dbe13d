import type { LoopInput, StepInput, StepLoop, WorkflowStep } from "@weft/cwl/model/process.ts";
import { describeGraph } from "@weft/cwl/workflow/describe-graph.ts";
import type { Network, StepRecord } from "@weft/shared/records/process-record.ts";
import type { CatalogEntry } from "./catalog-entry.ts";
import { entryUrl, presentLong, type PresentContext } from "./present-entry.ts";
import { texts } from "./present-type.ts";

export function presentNetwork(entry: CatalogEntry, context: PresentContext): Network {
  const { process } = entry;
  const workflow = process?.class === "Workflow" ? process : undefined;
  return {
    ...presentLong(entry, context),
    steps: workflow?.steps.map((step) => presentStep(step, context)) ?? [],
    graph: workflow === undefined ? { nodes: [], edges: [] } : describeGraph(workflow),
    links: { runs: `${context.links.base}/api/runs?network=${entry.place.id}` },
  };
}

function presentStep(step: WorkflowStep, context: PresentContext): StepRecord {
  return {
    id: step.id,
    ...texts(step),
    run: presentStepRun(step, context),
    scatter: [...step.scatter],
    ...(step.scatterMethod === undefined ? {} : { scatter_method: step.scatterMethod }),
    ...(step.when === undefined ? {} : { when: step.when }),
    ...(step.loop === undefined ? {} : { loop: presentLoop(step.loop) }),
    in: step.in.map(presentLink),
    out: [...step.out],
  };
}

function presentLoop({ when, inputs, outputMethod }: StepLoop): NonNullable<StepRecord["loop"]> {
  return { when, inputs: inputs.map(presentLink), output_method: outputMethod };
}

function presentLink(input: StepInput | LoopInput): StepRecord["in"][number] {
  return {
    id: input.id,
    source: [...input.source],
    ...(input.default === undefined ? {} : { default: input.default }),
    ...(input.valueFrom === undefined ? {} : { value_from: input.valueFrom }),
  };
}

function presentStepRun(step: WorkflowStep, context: PresentContext): StepRecord["run"] {
  const shown = { class: step.run.class, ...(step.run.label === undefined ? {} : { label: step.run.label }) };
  const publisher = context.catalog.publisher(step.run);
  if (publisher === undefined) return { kind: "inline", ...shown };
  const { kind, id, version } = publisher.place;
  return { kind, ...shown, id, ...(version === null ? {} : { version }), url: entryUrl(publisher, context.links) };
}

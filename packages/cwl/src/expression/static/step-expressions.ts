import type { LinkSources } from "../../links/link-source.ts";
import type { CwlType } from "../../model/cwl-type.ts";
import type { StepInput, WorkflowStep } from "../../model/process.ts";
import type { ExpressionSite } from "./expression-site.ts";
import { NOTHING, recordOf, UNKNOWN, type StaticValue } from "./static-value.ts";

/** The expressions of a step, which can use its inputs but not the `runtime` of a job. */
export function stepExpressions(step: WorkflowStep, sources: LinkSources): readonly ExpressionSite[] {
  const values = new Map(
    step.in.map((input) => [input.id, step.loop === undefined ? inputValue(step, input, sources) : UNKNOWN]),
  );
  const inputs: StaticValue = { type: recordOf([...values]), hasContents: true };
  const place = `steps.${step.id}`;
  const site = (part: object, field: string, at: string, text: string | undefined, self: StaticValue) =>
    text === undefined ? [] : [{ part, path: [field], place: at, text, names: { inputs, self, runtime: NO_RUNTIME } }];
  return [
    ...site(step, "when", `${place}.when`, step.when, NOTHING),
    ...step.in.flatMap((input) =>
      site(input, "valueFrom", `${place}.in.${input.id}.valueFrom`, input.valueFrom, values.get(input.id) ?? UNKNOWN),
    ),
    ...(step.loop === undefined ? [] : loopSites(step.loop)),
  ];

  function loopSites(loop: NonNullable<WorkflowStep["loop"]>): readonly ExpressionSite[] {
    const conditions = ["when", "loopWhen"].flatMap((field) => site(loop, field, `${place}.when`, loop.when, NOTHING));
    const changed = loop.inputs.flatMap((input) =>
      site(input, "valueFrom", `${place}.loop.${input.id}.valueFrom`, input.valueFrom, UNKNOWN),
    );
    return [...conditions, ...changed];
  }
}

const NO_RUNTIME: StaticValue = { type: { kind: "record", fields: [] }, hasContents: true };

/** The value of an input before its `valueFrom`; unknown if the input has a default or several sources. */
function inputValue(step: WorkflowStep, input: StepInput, sources: LinkSources): StaticValue {
  const isPlain = input.default === undefined && input.linkMerge === undefined && input.pickValue === undefined;
  const [name, second] = input.source;
  if (!isPlain || input.sourceIsList || second !== undefined) return UNKNOWN;
  if (name === undefined) return NOTHING;
  const type = sources.get(name)?.type;
  if (type === undefined) return UNKNOWN;
  const levels = step.scatter.filter((id) => id === input.id).length;
  return levels === 0 ? { type, hasContents: true } : elementOf(type, levels);
}

function elementOf(type: CwlType, levels: number): StaticValue {
  if (levels === 0) return { type, hasContents: true };
  return type.kind === "array" ? elementOf(type.items, levels - 1) : UNKNOWN;
}

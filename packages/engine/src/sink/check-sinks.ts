import { acceptsList, type CwlType } from "@weft/cwl/model/cwl-type.ts";
import type { OutputParameter, Process } from "@weft/cwl/model/process.ts";
import { holdsFiles } from "@weft/shared/records/holds-files.ts";
import type { ProblemError } from "@weft/shared/records/problem.ts";
import { jsonPointer } from "@weft/shared/json-pointer.ts";
import { isDerivative, parseDerivative } from "@weft/shared/dataset/derivative-name.ts";
import { checkDerivative } from "./derivative/check-derivatives.ts";
import { onlySample, type SampleNames, type SampleSources } from "./derivative/sample-sources.ts";
import { fieldsHint, fieldsOf } from "@weft/shared/text/name-template.ts";
import {
  nameFault,
  parseSinkTemplate,
  SINK_FIELDS,
  distinguishesElements,
  type SinkTemplate,
} from "./sink-template.ts";

/** Output id → template, as written. */
export type Sinks = Readonly<Record<string, string>>;

interface SinkContext {
  readonly process: Process;
  readonly samples: SampleNames;
  /** Names of output destinations. */
  readonly roots: readonly string[];
  /** The samples; absent if they are not known yet. */
  readonly sources?: SampleSources;
}

/** Reports every problem with output destinations that can be found before anything runs, each with its pointer. */
export function checkSinks(sinks: Sinks, context: SinkContext): ProblemError[] {
  return Object.entries(sinks).flatMap(([id, text]) => {
    const problem = checkSink(id, text, context);
    return problem === undefined ? [] : [{ pointer: jsonPointer(["sink_data", id]), ...problem }];
  });
}

type Fault = Pick<ProblemError, "code" | "detail" | "hint">;

function checkSink(id: string, text: string, context: SinkContext): Fault | undefined {
  const output = context.process.outputs.find((candidate) => candidate.id === id);
  if (output === undefined) {
    const ids = context.process.outputs.map((candidate) => candidate.id).join(", ");
    return { code: "unknown-output", detail: `there is no output "${id}"`, hint: `its outputs are ${ids}` };
  }
  if (!holdsFiles(output.type))
    return {
      code: "no-files",
      detail: `the output "${id}" contains no file`,
      hint: "only files and folders can be copied",
    };
  const template = isDerivative(text) ? parseDerivative(text) : parseSinkTemplate(text);
  if (typeof template === "string") return invalidTemplate(text, template);
  if (!context.roots.includes(template.root)) return unknownRoot(template.root, context.roots);
  if ("names" in template) return checkFields(template, output, context.samples);
  const { sources } = context;
  return sources === undefined ? undefined : checkDerivative(template, output, { ...context, sources });
}

function invalidTemplate(text: string, why: string): Fault {
  const hint = isDerivative(text)
    ? "an example is bids://results/brains/anat/desc-brain_mask"
    : fieldsHint(SINK_FIELDS);
  return { code: "invalid-template", detail: `"${text}" ${why}`, hint };
}

function unknownRoot(root: string, roots: readonly string[]): Fault {
  const known =
    roots.length === 0 ? "this server has no output destinations" : `this server may write to ${roots.join(", ")}`;
  return {
    code: "unknown-root",
    detail: `there is no output destination called "${root}"`,
    hint: `${known}; start the server with --sink ${/^[\w.-]+$/.test(root) ? root : "NAME"}=DIR`,
  };
}

function checkFields(template: SinkTemplate, { id, type }: OutputParameter, samples: SampleNames): Fault | undefined {
  const isList = acceptsList(type);
  const fields = fieldsOf(template.names.flat());
  if (isList && !distinguishesElements(template))
    return {
      code: "one-place",
      detail: `all elements of the list "${id}" would have the same destination`,
      hint: "use {basename}, {sample_id} or {index}",
    };
  // A value of type Any may be a list.
  const isSingle = !isList && !acceptsAny(type);
  if (isSingle && fields.includes("index"))
    return {
      code: "no-index",
      detail: `the output "${id}" is not a list, so {index} has no value`,
      hint: "leave {index} out",
    };
  if (!fields.includes("sample_id")) return undefined;
  if (isSingle && onlySample(samples) === undefined)
    return {
      code: "no-sample",
      detail: `the output "${id}" belongs to all samples together, so {sample_id} has no value`,
      hint: "remove {sample_id}, or use {run_id}",
    };
  const fault = Object.values(samples)
    .flat()
    .map(nameFault)
    .find((found) => found !== undefined);
  return fault === undefined
    ? undefined
    : { code: "invalid-sample", detail: `a sample ${fault}`, hint: "rename it: it becomes part of a path" };
}

function acceptsAny(type: CwlType): boolean {
  return type.kind === "union" ? type.options.some(acceptsAny) : type.kind === "Any";
}

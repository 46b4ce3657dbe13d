import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import type { JsonValue } from "@weft/cwl/model/json-value.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import { writeYaml } from "@weft/cwl/document/write-yaml.ts";
import type { FoundProcess } from "./find-processes.ts";

type Fields = { [field: string]: JsonValue };

/**
 * The text of one member of a packed document as a document of its own, with short IDs. `referenceTo` says how it refers to
 * another member.
 */
export function splitMember(
  { packed, process }: FoundProcess,
  referenceTo: (process: Process) => string | undefined,
): string {
  const document = fieldsOf(parseExactJson(packed())); // `packDocument` has made it
  const graph = document["$graph"];
  // The first is the process itself; the others are those that it refers to.
  const own = Array.isArray(graph) ? fieldsOf(graph[0]) : document;
  const { $graph: _graph, ...head } = document;
  const { id: _id, ...body } = own;
  const text: Fields = { ...head, ...body };
  delete text["id"];
  redirect(text, process, referenceTo);
  return writeYaml(text);
}

/** The steps of a packed process are in the order of the model. */
function redirect(fields: Fields, process: Process, referenceTo: (process: Process) => string | undefined): void {
  if (process.class !== "Workflow") return;
  const steps = Array.isArray(fields["steps"]) ? fields["steps"] : [];
  for (const [index, { run }] of process.steps.entries()) {
    const step = fieldsOf(steps[index]);
    if (typeof step["run"] === "string") step["run"] = referenceTo(run) ?? step["run"];
    else redirect(fieldsOf(step["run"]), run, referenceTo);
  }
}

function fieldsOf(value: unknown): Fields {
  // What `packDocument` returns consists of objects and lists of JSON.
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

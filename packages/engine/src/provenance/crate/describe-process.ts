import type {
  Link,
  Process,
  Workflow,
  WorkflowStep,
  InputParameter,
  OutputParameter,
} from "@weft/cwl/model/process.ts";
import { ref, refs, type CrateEntity, type CrateGraph } from "./crate-graph.ts";
import { WORKFLOW_PROFILE, PARAMETER_PROFILE } from "./crate-profiles.ts";
import type { ProcessIds } from "./process-ids.ts";
import type { CwlType } from "@weft/cwl/model/cwl-type.ts";

export interface DocumentDescription {
  readonly graph: CrateGraph;
  readonly ids: ProcessIds;
  /** Ids of the processes that jobs ran, which are the parts of the orchestrated workflow. */
  readonly executed: ReadonlySet<string>;
  /** The version in the catalog, or the digest of the document for a process without a version. */
  readonly versionOf: (process: Process) => string;
  /** The kinds of files among the values of the parameter with this id. */
  readonly examplesOf: (parameter: string) => ExampleKinds;
  /** Facts about the document: its file's size, checksum and format. */
  readonly documentFacts: Readonly<Record<string, unknown>>;
}

const LANGUAGE = "https://w3id.org/workflowhub/workflow-ro-crate#cwl";

/** Describes a process and everything in it; the main process is the document's file. Returns its id. */
export function describeProcess(process: Process, description: DocumentDescription, isMain: boolean): string {
  const { graph, ids } = description;
  const id = ids.of(process);
  if (graph.has(id)) return id;
  return process.class === "Workflow" && (isMain || description.executed.has(id))
    ? describeWorkflow(process, description, isMain)
    : describeApplication(process, description);
}

/** The language of the document. */
export function describeLanguage(graph: CrateGraph, version: string): void {
  graph.add({
    "@id": LANGUAGE,
    "@type": "ComputerLanguage",
    name: "Common Workflow Language",
    alternateName: "CWL",
    identifier: ref(`https://w3id.org/cwl/${version}/`),
    url: ref("https://www.commonwl.org/"),
    version,
  });
}

function describeWorkflow(workflow: Workflow, description: DocumentDescription, isMain: boolean): string {
  const { graph, ids, executed, versionOf, documentFacts } = description;
  const id = ids.of(workflow);
  const types = ["File", "SoftwareSourceCode", "ComputationalWorkflow"];
  graph.add({
    "@id": id,
    "@type": workflow.steps.length > 0 ? [...types, "HowTo"] : types,
    conformsTo: ref(WORKFLOW_PROFILE),
    ...namesOf(workflow),
    programmingLanguage: ref(LANGUAGE),
    version: versionOf(workflow),
    ...(isMain ? documentFacts : {}),
    ...parametersOf(workflow, description),
    hasPart: refs(workflow.steps.map(({ run }) => ids.of(run)).filter((part) => executed.has(part))),
    step: refs(workflow.steps.map((step) => ids.step(workflow, step.id))),
    connection: refs(connectionsOut(workflow, description)),
  });
  workflow.steps.forEach((step, index) => {
    describeStep(workflow, { step, index }, description);
    describeProcess(step.run, description, false);
  });
  return id;
}

/** A tool, or a nested network that was never called. Its source is the document. */
function describeApplication(process: Process, description: DocumentDescription): string {
  const { graph, ids, versionOf } = description;
  return graph.add({
    "@id": ids.of(process),
    "@type": "SoftwareApplication",
    ...namesOf(process),
    url: ref(ids.file),
    version: versionOf(process),
    ...parametersOf(process, description),
  });
}

function namesOf({ name, label, doc }: Process): Pick<CrateEntity, string> {
  return {
    name: label ?? name,
    ...(label === undefined ? {} : { alternateName: name }),
    ...(doc === undefined ? {} : { description: doc }),
  };
}

function parametersOf(process: Process, { graph, ids, examplesOf }: DocumentDescription) {
  const all = (direction: "in" | "out", parameters: Process["inputs"] | Process["outputs"]) =>
    refs(
      parameters.map((parameter) => {
        const id = ids.parameter(process, direction, parameter.id);
        return graph.add(describeParameter(id, parameter, examplesOf(id)));
      }),
    );
  return { input: all("in", process.inputs), output: all("out", process.outputs) };
}

function describeStep(
  workflow: Workflow,
  { step, index }: { readonly step: WorkflowStep; readonly index: number },
  description: DocumentDescription,
): void {
  const { graph, ids } = description;
  graph.add({
    "@id": ids.step(workflow, step.id),
    "@type": "HowToStep",
    name: step.label ?? step.id,
    position: String(index),
    workExample: ref(ids.of(step.run)),
    connection: refs(connectionsInto(workflow, step, description)),
    ...(step.doc === undefined ? {} : { description: step.doc }),
  });
}

/** Links to the parameters of a step. */
function connectionsInto(workflow: Workflow, step: WorkflowStep, description: DocumentDescription): readonly string[] {
  return (
    step.in
      // A step may have inputs that only its expressions read.
      .filter(({ id }) => step.run.inputs.some((input) => input.id === id))
      .flatMap((input) => {
        const target = description.ids.parameter(step.run, "in", input.id);
        return connect(workflow, { ...input, step: step.id }, target, description);
      })
  );
}

/** Links to the outputs of the workflow. */
function connectionsOut(workflow: Workflow, description: DocumentDescription): readonly string[] {
  return workflow.outputs.flatMap(({ id, outputSource }) =>
    outputSource === undefined
      ? []
      : connect(workflow, outputSource, description.ids.parameter(workflow, "out", id), description),
  );
}

function connect(
  workflow: Workflow,
  { source, step }: Pick<Link, "source"> & { readonly step?: string },
  target: string,
  { graph, ids }: DocumentDescription,
): readonly string[] {
  return source.flatMap((name) => {
    const from = sourceParameter(workflow, name, ids);
    if (from === undefined) return [];
    const id = `#connection/${encodeURIComponent(from)}/${step ?? ""}/${encodeURIComponent(target)}`;
    return graph.addOnce({
      "@id": id,
      "@type": "ParameterConnection",
      sourceParameter: ref(from),
      targetParameter: ref(target),
    });
  });
}

/** `input` of the workflow, or `step/output`. */
function sourceParameter(workflow: Workflow, name: string, ids: ProcessIds): string | undefined {
  const slash = name.lastIndexOf("/");
  if (slash < 0) return ids.parameter(workflow, "in", name);
  const step = workflow.steps.find(({ id }) => id === name.slice(0, slash));
  return step === undefined ? undefined : ids.parameter(step.run, "out", name.slice(slash + 1));
}

/** The kinds of files among the values of a parameter: without and with secondary files. */
interface ExampleKinds {
  readonly isFile: boolean;
  readonly isCollected: boolean;
}

/** An input or output of a process as a FormalParameter. */
function describeParameter(
  id: string,
  parameter: InputParameter | OutputParameter,
  examples: ExampleKinds,
): CrateEntity {
  const { type, doc, label, format, secondaryFiles } = parameter;
  const types = additionalTypes(type, typesOfFile(secondaryFiles, examples));
  const isOptional = allowsNull(type) || ("default" in parameter && parameter.default !== undefined);
  return {
    "@id": id,
    "@type": "FormalParameter",
    conformsTo: ref(PARAMETER_PROFILE),
    name: parameter.id,
    ...(label === undefined ? {} : { alternateName: label }),
    ...(doc === undefined ? {} : { description: doc }),
    additionalType: types.length === 1 ? types[0] : types,
    ...(holdsMany(type) ? { multipleValues: "True" } : {}),
    ...(isOptional ? { valueRequired: "False" } : { valueRequired: "True" }),
    ...defaultOf(parameter),
    ...(format === undefined ? {} : { encodingFormat: format.length === 1 ? String(format[0]) : format.map(String) }),
  };
}

function defaultOf(parameter: InputParameter | OutputParameter): { readonly defaultValue?: string } {
  if (!("default" in parameter) || parameter.default === undefined || parameter.default === null) return {};
  const { default: value } = parameter;
  return { defaultValue: typeof value === "string" ? value : JSON.stringify(value) };
}

function allowsNull(type: CwlType): boolean {
  return type.kind === "null" || type.kind === "Any" || (type.kind === "union" && type.options.some(allowsNull));
}

function holdsMany(type: CwlType): boolean {
  return type.kind === "array" || (type.kind === "union" && type.options.some(holdsMany));
}

/** A file with secondary files is a Collection. Both types only if values have both: `runcrate` cannot read two. */
function typesOfFile(
  secondaryFiles: InputParameter["secondaryFiles"],
  { isFile, isCollected }: ExampleKinds,
): readonly string[] {
  if (isFile && isCollected) return ["File", "Collection"];
  const isDeclared = secondaryFiles.some(({ required }) => required === true);
  return isCollected || (isDeclared && !isFile) ? ["Collection"] : ["File"];
}

/** An array has the types of its elements. */
function additionalTypes(type: CwlType, ofFile: readonly string[]): readonly string[] {
  switch (type.kind) {
    case "array":
      return additionalTypes(type.items, ofFile);
    case "union": {
      const options = type.options.filter(({ kind }) => kind !== "null");
      return [...new Set(options.flatMap((option) => additionalTypes(option, ofFile)))];
    }
    case "File":
      return ofFile;
    case "Directory":
      return ["Dataset"];
    case "string":
    case "enum":
      return ["Text"];
    case "int":
    case "long":
      return ["Integer"];
    case "float":
    case "double":
      return ["Float"];
    case "boolean":
      return ["Boolean"];
    case "record":
      return ["PropertyValue"];
    case "Any":
    case "null":
      return ["DataType"];
  }
}

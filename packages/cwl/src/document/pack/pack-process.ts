import type {
  CommandLineTool,
  InputParameter,
  OutputParameter,
  Process,
  StepInput,
  WorkflowStep,
  LoopInput,
  Link,
} from "../../model/process.ts";
import type { Requirement, WorkDirEntry } from "../../model/requirement.ts";
import { versionDefaults } from "../requirement/version-defaults.ts";
import type { JsonObject, JsonValue } from "../../model/json-value.ts";
import { ifTrue, jsonObject, unlessEmpty } from "./json-object.ts";
import { packContents, packFormat, packInputBinding, packOutputBinding, packSecondaryFiles } from "./pack-binding.ts";
import type { PackScope } from "./pack-scope.ts";
import { packType } from "./pack-type.ts";
import { packValue } from "./pack-value.ts";
import { isSinceVersion } from "../../model/cwl-version.ts";
import { LOOP_REQUIREMENT } from "../requirement/extension-name.ts";

/** Packs one process. Its steps refer to other processes by name; inline processes stay inline. */
export function packProcess(process: Process, id: string | undefined, outer: PackScope): JsonObject {
  const isTool = process.class === "CommandLineTool";
  const scope: PackScope = { ...outer, types: isTool ? "command-input" : "input" };
  const outputs: PackScope = { ...outer, types: isTool ? "command-output" : "output" };
  return jsonObject({
    class: process.class,
    id,
    label: process.label,
    doc: process.doc,
    intent: unlessEmpty(process.intent),
    inputs: process.inputs.map((input) => packInput(input, scope)),
    outputs: process.outputs.map((output) => packOutput(output, outputs)),
    requirements: unlessEmpty(process.requirements.map((requirement) => packRequirement(requirement, scope))),
    hints: unlessEmpty([...process.hints, ...impliedHints(process, scope)].map((hint) => packRequirement(hint, scope))),
    ...packBody(process, scope),
  });
}

/** Requirements that the process's own version implies, but the version of the packed document does not. */
function impliedHints({ defaults = [], requirements, hints }: Process, { version }: PackScope): readonly Requirement[] {
  const known = new Set(
    [...versionDefaults(version), ...requirements, ...hints].map((requirement) => requirement.class),
  );
  return defaults.filter((implied) => !known.has(implied.class));
}

function packBody(process: Process, scope: PackScope): { readonly [key: string]: JsonValue | undefined } {
  switch (process.class) {
    case "CommandLineTool":
      return packCommand(process);
    case "ExpressionTool":
      return { expression: process.expression };
    case "Workflow":
      return { steps: process.steps.map((step) => packStep(step, scope)) };
    case "Operation":
      return {};
  }
}

function packCommand(tool: CommandLineTool) {
  const { stdin, stdout, stderr } = tool;
  return {
    stdin,
    stdout,
    stderr,
    baseCommand: unlessEmpty(tool.baseCommand),
    arguments: unlessEmpty(
      tool.arguments.map((argument) => (typeof argument === "string" ? argument : packInputBinding(argument))),
    ),
    successCodes: unlessEmpty(tool.successCodes),
    temporaryFailCodes: unlessEmpty(tool.temporaryFailCodes),
    permanentFailCodes: unlessEmpty(tool.permanentFailCodes),
  };
}

function packParameter(parameter: InputParameter | OutputParameter, scope: PackScope) {
  const { id, label, doc, type, secondaryFiles, streamable, format } = parameter;
  return {
    id,
    label,
    doc,
    type: packType(type, scope),
    streamable: ifTrue(streamable),
    format: packFormat(format),
    secondaryFiles: unlessEmpty(packSecondaryFiles(secondaryFiles, scope)),
  };
}

function packInput(input: InputParameter, scope: PackScope): JsonObject {
  const value = input.default === undefined ? undefined : packValue(input.default, scope);
  return jsonObject({
    ...packParameter(input, scope),
    ...packContents(input, scope),
    default: value,
    loadListing: input.loadListing,
  });
}

function packOutput(output: OutputParameter, scope: PackScope): JsonObject {
  const binding = output.outputBinding === undefined ? undefined : packOutputBinding(output.outputBinding);
  const link = output.outputSource === undefined ? undefined : packLink(output.outputSource, "outputSource");
  return jsonObject({ ...packParameter(output, scope), ...link, outputBinding: binding });
}

function packStep(step: WorkflowStep, scope: PackScope): JsonObject {
  const { id, label, doc, out, scatterMethod, when } = step;
  return jsonObject({
    id,
    label,
    doc,
    out,
    scatterMethod,
    when,
    in: step.in.map((input) => packStepInput(input, scope)),
    scatter: unlessEmpty(step.scatter),
    run: packRun(step, scope),
    ...packLoopFields(step, scope),
    requirements: unlessEmpty([
      ...packLoopRequirement(step, scope),
      ...step.requirements.map((requirement) => packRequirement(requirement, scope)),
    ]),
    hints: unlessEmpty(step.hints.map((requirement) => packRequirement(requirement, scope))),
  });
}

/** An inline process is named after its step unless it has its own name. */
function packRun({ id, run }: WorkflowStep, scope: PackScope): JsonValue {
  const name = scope.names.get(run);
  return name === undefined ? packProcess(run, run.name === id ? undefined : run.name, scope) : `#${name}`;
}

function packStepInput(input: StepInput, scope: PackScope): JsonObject {
  const { id, label, valueFrom, loadContents, loadListing } = input;
  const value = input.default === undefined ? undefined : packValue(input.default, scope);
  return jsonObject({
    id,
    label,
    valueFrom,
    loadListing,
    ...packLink(input, "source"),
    loadContents: ifTrue(loadContents),
    default: value,
  });
}

type LoopedStep = Pick<WorkflowStep, "loop">;

/** The fields of a looped step in v1.3; earlier versions have a requirement instead. */
function packLoopFields({ loop }: LoopedStep, scope: PackScope): { readonly [field: string]: JsonValue | undefined } {
  if (loop === undefined || !isSinceVersion(scope.version, "v1.3.0-dev1")) return {};
  return {
    when: loop.when,
    loop: loop.inputs.map((input) => packLoopInput(input, "outputSource", scope)),
    outputMethod: loop.outputMethod === "all" ? "all_iterations" : undefined,
  };
}

/** The requirement of a looped step in v1.2, if any. */
function packLoopRequirement({ loop }: LoopedStep, scope: PackScope): readonly JsonObject[] {
  if (loop === undefined || isSinceVersion(scope.version, "v1.3.0-dev1")) return [];
  const requirement = {
    class: LOOP_REQUIREMENT,
    loopWhen: loop.when,
    loop: loop.inputs.map((input) => packLoopInput(input, "loopSource", scope)),
    outputMethod: loop.outputMethod === "all" ? "all" : undefined,
  };
  return [jsonObject(requirement)];
}

function packLoopInput(input: LoopInput, field: "loopSource" | "outputSource", scope: PackScope): JsonObject {
  const value = input.default === undefined ? undefined : packValue(input.default, scope);
  return jsonObject({ id: input.id, valueFrom: input.valueFrom, default: value, ...packLink(input, field) });
}

/** The sources of a value in the given field, and how they are merged. */
function packLink(
  { source, sourceIsList, linkMerge, pickValue }: Link,
  field: "source" | "outputSource" | "loopSource",
) {
  return { [field]: sourceIsList ? source : source[0], linkMerge, pickValue };
}

/** A requirement or hint in its full form. */
function packRequirement(requirement: Requirement, scope: PackScope): JsonObject {
  switch (requirement.class) {
    case "InlineJavascriptRequirement":
      return jsonObject({
        class: requirement.class,
        expressionLib: unlessEmpty(requirement.expressionLib),
      });
    case "SchemaDefRequirement":
      return jsonObject({
        class: requirement.class,
        types: requirement.types.map((type) => packType(type, { ...scope, types: "command-input" })),
      });
    case "SoftwareRequirement":
      return jsonObject({
        class: requirement.class,
        packages: requirement.packages.map((software) => jsonObject({ ...software })),
      });
    case "InitialWorkDirRequirement":
      return jsonObject({
        class: requirement.class,
        listing: packListing(requirement.listing, scope),
      });
    case "EnvVarRequirement":
      return jsonObject({
        class: requirement.class,
        envDef: requirement.envDef.map((variable) => jsonObject({ ...variable })),
      });
    case "LoadListingRequirement":
    case "WorkReuse":
    case "NetworkAccess":
    case "InplaceUpdateRequirement":
    case "ToolTimeLimit":
      return jsonObject({ ...requirement, class: versionedClass(requirement.class, scope) });
    case "Secrets":
      return jsonObject({ class: "cwltool:Secrets", secrets: requirement.secrets });
    case "unknown":
      return jsonObject({ class: requirement.name });
    case "DockerRequirement":
    case "ShellCommandRequirement":
    case "ResourceRequirement":
    case "SubworkflowFeatureRequirement":
    case "ScatterFeatureRequirement":
    case "MultipleInputFeatureRequirement":
    case "StepInputExpressionRequirement":
      return jsonObject({ ...requirement });
  }
}

/** Requirements new in v1.1 exist in v1.0 as extensions of the reference runner. */
function versionedClass(name: string, { version }: PackScope): string {
  if (version !== "v1.0") return name;
  return name === "ToolTimeLimit" ? "cwltool:TimeLimit" : `cwltool:${name}`;
}

function packListing(listing: string | readonly WorkDirEntry[], scope: PackScope): JsonValue {
  return typeof listing === "string" ? listing : listing.map((entry) => packEntry(entry, scope));
}

function packEntry(entry: WorkDirEntry, scope: PackScope): JsonValue {
  switch (entry.kind) {
    case "expression":
      return entry.expression;
    case "value":
      return packValue(entry.value, scope);
    case "dirent":
      return jsonObject({
        entry: entry.entry,
        entryname: entry.entryname,
        writable: ifTrue(entry.writable),
      });
  }
}

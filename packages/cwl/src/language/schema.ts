/** The fields of CWL and their descriptions, for completion and hover. A test compares the names with those of the readers. */
import { CWL_VERSIONS } from "../model/cwl-version.ts";

/** Kinds of values that completion suggests, in addition to `words`. */
export type ValueKind = "type" | "source" | "run" | "format" | "scatter" | "output-name" | "text";

export interface FieldInfo {
  readonly doc: string;
  /** The type of the value, in words for people. */
  readonly type: string;
  readonly default?: string;
  readonly words?: readonly string[];
  readonly value?: ValueKind;
  /** The kind of object in the field, whether it contains one object, a list or a map from names to objects. */
  readonly of?: string;
  /** In a map, the field of the object that a value without fields sets. */
  readonly predicate?: string;
  readonly isMap?: true;
}

const TRUTH = ["true", "false"];

const field = (type: string, doc: string, more: Omit<FieldInfo, "doc" | "type"> = {}): FieldInfo => ({
  type,
  doc,
  ...more,
});
const many = (of: string, doc: string, predicate?: string): FieldInfo =>
  field(`map or list of ${of}`, doc, { of, isMap: true, ...(predicate === undefined ? {} : { predicate }) });
const flag = (doc: string, standard: "true" | "false"): FieldInfo =>
  field("boolean", doc, { words: TRUTH, default: standard });

const LISTINGS = ["no_listing", "shallow_listing", "deep_listing"];

const DESCRIPTION = {
  id: field("text", "The name by which other parts of documents refer to this object."),
  label: field("text", "A short name for people."),
  doc: field("text or list of lines", "A description for people."),
};

const PROCESS = {
  ...DESCRIPTION,
  cwlVersion: field("word", "The version of CWL that the document is written for.", { words: CWL_VERSIONS }),
  class: field("word", "What the document describes.", {
    words: ["CommandLineTool", "Workflow", "ExpressionTool", "Operation"],
  }),
  requirements: many("requirement", "What a runner must provide; an unknown requirement stops the run."),
  hints: many("requirement", "What a runner may provide; it ignores what it does not know."),
  intent: field("list of IRIs", "What the process is for, by terms of an ontology."),
  $namespaces: field("map", "Prefixes for the terms of other vocabularies."),
  $schemas: field("list of files", "Ontologies that explain the terms, such as the formats of files."),
  $base: field("text", "Has no effect: references are relative to the file."),
};

const PARAMETER = {
  ...DESCRIPTION,
  type: field("type", "The type of the value; `?` makes it optional, `[]` makes it a list.", {
    value: "type",
    of: "type",
  }),
  secondaryFiles: field("pattern or list", "Files that belong to a File, such as `.bai`; `^` removes an extension.", {
    of: "secondaryFile",
  }),
  streamable: flag("A File is read or written once, from start to end.", "false"),
  format: field("IRI or expression", "The format of Files, as a term of an ontology.", { value: "format" }),
};

const INPUT = {
  ...PARAMETER,
  default: field("any value", "The value if none is given."),
  loadContents: flag("Makes the first 64 KiB of a File available as `contents`.", "false"),
  loadListing: field("word", "How much of a Directory expressions see as `listing`.", {
    words: LISTINGS,
    default: "no_listing",
  }),
};

const { default: _, id: __, ...FIELD } = INPUT;

const LINK = {
  linkMerge: field("word", "How several sources become one list.", {
    words: ["merge_nested", "merge_flattened"],
    default: "merge_nested",
  }),
  pickValue: field("word", "Which of several values to take, where steps may be skipped.", {
    words: ["first_non_null", "the_only_non_null", "all_non_null"],
  }),
};

const SOURCE = field("source or list", "Where the value comes from: an input of the workflow or `step/output`.", {
  value: "source",
});
const VALUE_FROM = field("text or expression", "Replaces the value; `self` is the value itself.");

const SCHEMA_TYPE = {
  type: field("word", "The kind of type.", { words: ["array", "record", "enum"] }),
  name: field("text", "The name of the type."),
  label: DESCRIPTION.label,
  doc: DESCRIPTION.doc,
  inputBinding: field("binding", "How the value gets onto the command line.", { of: "inputBinding" }),
};

const CLASS = field("word", "Which requirement this is.");
const amount = (what: string, standard?: string) =>
  field("number or expression", what, standard === undefined ? {} : { default: standard });

export const FIELDS = {
  /** A document without a class. */
  process: { cwlVersion: PROCESS.cwlVersion, class: PROCESS.class },
  CommandLineTool: {
    ...PROCESS,
    inputs: many("toolInput", "The parameters of the tool.", "type"),
    outputs: many("toolOutput", "What the tool produces.", "type"),
    baseCommand: field("text or list", "The program and its first arguments."),
    arguments: field("list", "Arguments that do not come from an input.", { of: "inputBinding" }),
    stdin: field("path or expression", "The file to read as standard input."),
    stdout: field("name or expression", "The file for standard output."),
    stderr: field("name or expression", "The file for standard error."),
    successCodes: field("list of integers", "Exit codes that mean success.", { default: "[0]" }),
    temporaryFailCodes: field("list of integers", "Exit codes of failures that may pass."),
    permanentFailCodes: field("list of integers", "Exit codes of final failures."),
  },
  Workflow: {
    ...PROCESS,
    inputs: many("otherInput", "The parameters of the workflow.", "type"),
    outputs: many("workflowOutput", "What the workflow produces.", "type"),
    steps: many("step", "The processes that the workflow runs."),
  },
  ExpressionTool: {
    ...PROCESS,
    inputs: many("otherInput", "The parameters of the expression.", "type"),
    outputs: many("otherOutput", "The fields of the object that the expression gives.", "type"),
    expression: field("expression", "Gives an object with the outputs."),
  },
  Operation: {
    ...PROCESS,
    inputs: many("otherInput", "The parameters of the operation.", "type"),
    outputs: many("otherOutput", "What the operation produces.", "type"),
  },
  toolInput: {
    ...INPUT,
    inputBinding: field("binding", "How the value gets onto the command line.", { of: "inputBinding" }),
  },
  otherInput: {
    ...INPUT,
    inputBinding: field("binding", "Only `loadContents` has an effect here.", { of: "inputBinding" }),
  },
  toolOutput: {
    ...PARAMETER,
    outputBinding: field("binding", "How to find the value after the job.", { of: "outputBinding" }),
  },
  otherOutput: { ...PARAMETER },
  workflowOutput: { ...PARAMETER, ...LINK, outputSource: SOURCE },
  step: {
    ...DESCRIPTION,
    run: field("reference or process", "What the step runs: a file, `#id`, or a process in place.", {
      value: "run",
      of: "process",
    }),
    in: many("stepInput", "The inputs of the step and where their values come from.", "source"),
    out: field("list of names", "The outputs that other steps may use as `step/output`.", { value: "output-name" }),
    scatter: field("name or list", "Inputs that hold lists: the step runs once for each element.", {
      value: "scatter",
    }),
    scatterMethod: field("word", "How several scattered inputs are combined.", {
      words: ["dotproduct", "nested_crossproduct", "flat_crossproduct"],
    }),
    when: field("expression", "The step runs only if this gives true."),
    requirements: many("requirement", "What a runner must provide for this step."),
    hints: many("requirement", "What a runner may provide for this step."),
    loop: many("loopInput", "Inputs that the next iteration takes from the outputs of this one.", "outputSource"),
    outputMethod: field("word", "Which outputs of a loop count.", { words: ["last_iteration", "all_iterations"] }),
  },
  stepInput: {
    id: DESCRIPTION.id,
    label: DESCRIPTION.label,
    ...LINK,
    source: SOURCE,
    default: INPUT.default,
    valueFrom: VALUE_FROM,
    loadContents: INPUT.loadContents,
    loadListing: INPUT.loadListing,
  },
  loopInput: { id: DESCRIPTION.id, ...LINK, outputSource: SOURCE, default: INPUT.default, valueFrom: VALUE_FROM },
  inputBinding: {
    loadContents: INPUT.loadContents,
    position: field("integer or expression", "Where the argument is among the others; lower comes first.", {
      default: "0",
    }),
    prefix: field("text", "The flag before the value."),
    separate: flag("The prefix is an argument of its own.", "true"),
    itemSeparator: field("text", "Joins the elements of a list into one argument."),
    valueFrom: VALUE_FROM,
    shellQuote: flag("Protects the argument from the shell, if there is one.", "true"),
  },
  outputBinding: {
    glob: field("pattern or list", "Which files in the output folder belong to the output."),
    loadContents: INPUT.loadContents,
    loadListing: INPUT.loadListing,
    outputEval: field("expression", "Gives the value; `self` is the list of files that `glob` found."),
  },
  secondaryFile: {
    pattern: field("pattern or expression", "The name, relative to that of the File."),
    required: field("boolean or expression", "Whether the file must exist.", { words: TRUTH }),
  },
  array: { ...SCHEMA_TYPE, items: field("type", "The type of the elements.", { value: "type", of: "type" }) },
  record: { ...SCHEMA_TYPE, fields: many("recordField", "The fields of the record.", "type") },
  enum: { ...SCHEMA_TYPE, symbols: field("list of strings", "The allowed values.") },
  recordField: {
    ...FIELD,
    name: field("text", "The name of the field."),
    inputBinding: SCHEMA_TYPE.inputBinding,
    outputBinding: field("binding", "How to find the value after the job.", { of: "outputBinding" }),
  },
  InlineJavascriptRequirement: {
    class: CLASS,
    expressionLib: field("list of strings", "JavaScript that all expressions can use."),
  },
  SchemaDefRequirement: {
    class: CLASS,
    types: field("list of types", "Types that parameters refer to by name.", { of: "type" }),
  },
  DockerRequirement: {
    class: CLASS,
    dockerPull: field("text", "The image to pull."),
    dockerLoad: field("text", "The URL of an image archive."),
    dockerFile: field("text", "The content of a Dockerfile."),
    dockerImport: field("text", "An image to import."),
    dockerImageId: field("text", "The id of a local image."),
    dockerOutputDirectory: field("path", "The output folder inside the container."),
  },
  SoftwareRequirement: {
    class: CLASS,
    packages: many("softwarePackage", "The packages that the tool needs.", "specs"),
  },
  InitialWorkDirRequirement: {
    class: CLASS,
    listing: field("list or expression", "Files that the output folder holds before the job starts.", { of: "dirent" }),
  },
  EnvVarRequirement: { class: CLASS, envDef: many("environmentDef", "Environment variables of the job.", "envValue") },
  ShellCommandRequirement: { class: CLASS },
  ResourceRequirement: {
    class: CLASS,
    coresMin: amount("Processor cores at least.", "1"),
    coresMax: amount("Processor cores at most."),
    ramMin: amount("Memory in MiB at least.", "256"),
    ramMax: amount("Memory in MiB at most."),
    tmpdirMin: amount("Temporary storage in MiB at least.", "1024"),
    tmpdirMax: amount("Temporary storage in MiB at most."),
    outdirMin: amount("Output storage in MiB at least.", "1024"),
    outdirMax: amount("Output storage in MiB at most."),
  },
  LoadListingRequirement: { class: CLASS, loadListing: INPUT.loadListing },
  WorkReuse: { class: CLASS, enableReuse: flag("Earlier results of equal jobs may be used.", "true") },
  NetworkAccess: { class: CLASS, networkAccess: flag("The job needs the network.", "false") },
  InplaceUpdateRequirement: {
    class: CLASS,
    inplaceUpdate: flag("The job may change writable inputs in place.", "false"),
  },
  ToolTimeLimit: { class: CLASS, timelimit: amount("The longest time in seconds.") },
  SubworkflowFeatureRequirement: { class: CLASS },
  ScatterFeatureRequirement: { class: CLASS },
  MultipleInputFeatureRequirement: { class: CLASS },
  StepInputExpressionRequirement: { class: CLASS },
  softwarePackage: {
    package: field("text", "The name of the package."),
    version: field("list of strings", "Versions that are known to work."),
    specs: field("IRI or list", "Where the package is described."),
  },
  environmentDef: {
    envName: field("text", "The name of the variable."),
    envValue: field("text or expression", "The value of the variable."),
  },
  dirent: {
    entry: field("text or expression", "The content of the file, or a File or Directory."),
    entryname: field("name or expression", "The name of the file."),
    writable: flag("The job may change it.", "false"),
  },
} satisfies { readonly [kind: string]: { readonly [name: string]: FieldInfo } };

/** The fields of an object; empty if it has none. */
export function fieldsOf(kind: string): ReadonlyMap<string, FieldInfo> {
  const known: { readonly [kind: string]: { readonly [name: string]: FieldInfo } } = FIELDS;
  return new Map(Object.hasOwn(known, kind) ? Object.entries(known[kind] ?? {}) : []);
}

/** Purposes of requirements and hints. */
export const REQUIREMENT_DOCS: ReadonlyMap<string, string> = new Map([
  ["InlineJavascriptRequirement", "Allows JavaScript in expressions."],
  ["SchemaDefRequirement", "Defines types with names."],
  ["DockerRequirement", "The container image that the tool runs in."],
  ["SoftwareRequirement", "The software packages that the tool needs."],
  ["InitialWorkDirRequirement", "Puts files into the output folder before the job starts."],
  ["EnvVarRequirement", "Sets environment variables."],
  ["ShellCommandRequirement", "Runs the command line in a shell."],
  ["ResourceRequirement", "Cores, memory and storage that a job needs."],
  ["LoadListingRequirement", "How much of Directories expressions see."],
  ["WorkReuse", "Whether earlier results may be used."],
  ["NetworkAccess", "Whether a job needs the network."],
  ["InplaceUpdateRequirement", "Whether a job may change writable inputs in place."],
  ["ToolTimeLimit", "The longest time that a job may take."],
  ["SubworkflowFeatureRequirement", "Allows steps that run workflows."],
  ["ScatterFeatureRequirement", "Allows `scatter`."],
  ["MultipleInputFeatureRequirement", "Allows several sources for one input."],
  ["StepInputExpressionRequirement", "Allows `valueFrom` in the inputs of steps."],
]);

/** The types that need no definition. */
export const TYPE_DOCS: ReadonlyMap<string, string> = new Map([
  ["File", "A file with its secondary files."],
  ["Directory", "A folder."],
  ["string", "Text."],
  ["int", "A whole number of 32 bits."],
  ["long", "A whole number of 64 bits."],
  ["float", "A number of single precision."],
  ["double", "A number of double precision."],
  ["boolean", "true or false."],
  ["null", "No value."],
  ["Any", "Any value except null."],
  ["stdin", "A File that the tool reads as standard input."],
  ["stdout", "A File with the standard output."],
  ["stderr", "A File with the standard error."],
]);

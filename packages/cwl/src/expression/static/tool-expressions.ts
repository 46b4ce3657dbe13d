import type { InputBinding, SecondaryFilePattern } from "../../model/binding.ts";
import type { CwlType } from "../../model/cwl-type.ts";
import type { RequirementSet } from "../../model/effective-requirements.ts";
import type { CommandLineTool, ExpressionTool, InputParameter, OutputParameter, Process } from "../../model/process.ts";
import type { RequirementClass } from "../../model/requirement.ts";
import type { ExpressionSite, FieldPath } from "./expression-site.ts";
import { FILES, NO_RUNTIME, NOTHING, recordOf, type StaticNames, type StaticValue } from "./static-value.ts";

/** The expressions of a tool, and those of the outer requirements that apply to it. */
export function toolExpressions(
  tool: CommandLineTool | ExpressionTool,
  requirements: RequirementSet,
): readonly ExpressionSite[] {
  const sites = new SiteList(inputsOf(tool));
  addInputs(tool, sites);
  if (tool.class === "ExpressionTool") {
    sites.add(tool, ["expression"], "expression", tool.expression);
    return sites.found;
  }
  addCommand(tool, sites);
  for (const output of tool.outputs) addOutput(output, `outputs.${output.id}`, sites);
  addRequirements(requirements, sites);
  return sites.found;
}

/** The expressions of a workflow's own inputs. */
export function inputExpressions(process: Process): readonly ExpressionSite[] {
  const sites = new SiteList(inputsOf(process));
  addInputs(process, sites);
  return sites.found;
}

function inputsOf({ inputs }: Process): StaticValue {
  const type = recordOf(
    inputs.map(({ id, type: declared, loadContents }) => [id, { type: declared, hasContents: loadContents }]),
  );
  return { type, hasContents: false };
}

class SiteList {
  readonly found: ExpressionSite[] = [];
  readonly #inputs: StaticValue;

  constructor(inputs: StaticValue) {
    this.#inputs = inputs;
  }

  add(part: object, path: FieldPath, place: string, text: unknown, names: Partial<StaticNames> = {}): void {
    if (typeof text !== "string") return;
    const all = { inputs: this.#inputs, self: NOTHING, runtime: NO_RUNTIME, ...names };
    this.found.push({ part, path, place, text, names: all });
  }
}

/** CWL v1.2 CommandLineTool.html#Runtime_environment. */
const RUNTIME: readonly (readonly [string, CwlType["kind"] & ("string" | "int")])[] = [
  ["outdir", "string"],
  ["tmpdir", "string"],
  ["cores", "int"],
  ["ram", "int"],
  ["outdirSize", "int"],
  ["tmpdirSize", "int"],
];

const JOB_RUNTIME = runtimeOf(RUNTIME);
const ENDED_RUNTIME = runtimeOf([...RUNTIME, ["exitCode", "int"]]);

function runtimeOf(fields: typeof RUNTIME): StaticValue {
  return {
    type: recordOf(fields.map(([name, kind]) => [name, { type: { kind }, hasContents: true }])),
    hasContents: true,
  };
}

function addInputs({ inputs, class: kind }: Process, sites: SiteList): void {
  for (const input of inputs) {
    const place = `inputs.${input.id}`;
    addSecondaryFiles(input, place, {}, sites);
    for (const [index, format] of (input.format ?? []).entries())
      sites.add(input, ["format", index], `${place}.format`, format, { self: fileOf(input) });
    if (kind === "CommandLineTool") addBindings(input, place, sites);
  }
}

/** A File of a value: patterns of secondary files and formats apply to each File. */
function fileOf({ loadContents = false }: { readonly loadContents?: boolean }): StaticValue {
  return { type: { kind: "File" }, hasContents: loadContents };
}

function addSecondaryFiles(
  parameter: { readonly secondaryFiles: readonly SecondaryFilePattern[]; readonly loadContents?: boolean },
  place: string,
  runtime: Partial<StaticNames>,
  sites: SiteList,
): void {
  const names = { ...runtime, self: fileOf(parameter) };
  for (const [index, file] of parameter.secondaryFiles.entries()) {
    const at = `${place}.secondaryFiles`;
    sites.add(parameter, ["secondaryFiles", index, "pattern"], at, file.pattern, names);
    sites.add(file, ["required"], `${at}.required`, file.required, names);
  }
}

function addBindings({ type, inputBinding, loadContents }: InputParameter, place: string, sites: SiteList): void {
  const value = { type, hasContents: loadContents };
  if (inputBinding !== undefined) addBinding(inputBinding, `${place}.inputBinding`, value, sites);
  addTypeBindings(value, place, sites);
}

function addBinding(binding: InputBinding, place: string, self: StaticValue, sites: SiteList): void {
  const names = { self, runtime: JOB_RUNTIME };
  sites.add(binding, ["valueFrom"], `${place}.valueFrom`, binding.valueFrom, names);
  sites.add(binding, ["position"], `${place}.position`, binding.position, names);
}

/** Bindings within a type: list elements, records and record fields. */
function addTypeBindings({ type, hasContents }: StaticValue, place: string, sites: SiteList): void {
  const value = (inner: CwlType): StaticValue => ({ type: inner, hasContents });
  switch (type.kind) {
    case "array":
      if (type.inputBinding !== undefined) addBinding(type.inputBinding, place, value(type.items), sites);
      addTypeBindings(value(type.items), place, sites);
      break;
    case "record":
      if (type.inputBinding !== undefined) addBinding(type.inputBinding, place, value(type), sites);
      for (const field of type.fields) {
        const own = { type: field.type, hasContents: hasContents || field.loadContents };
        if (field.inputBinding !== undefined) addBinding(field.inputBinding, `${place}.${field.name}`, own, sites);
        addSecondaryFiles(field, `${place}.${field.name}`, {}, sites);
        addTypeBindings(own, `${place}.${field.name}`, sites);
      }
      break;
    case "enum":
      if (type.inputBinding !== undefined) addBinding(type.inputBinding, place, value(type), sites);
      break;
    case "union":
      for (const option of type.options) addTypeBindings(value(option), place, sites);
      break;
    default:
      break;
  }
}

function addCommand(tool: CommandLineTool, sites: SiteList): void {
  const names = { runtime: JOB_RUNTIME };
  for (const [index, argument] of tool.arguments.entries()) {
    if (typeof argument === "string") sites.add(tool, ["arguments", index], `arguments.${index}`, argument, names);
    else addBinding(argument, `arguments.${index}`, NOTHING, sites);
  }
  for (const stream of ["stdin", "stdout", "stderr"] as const) sites.add(tool, [stream], stream, tool[stream], names);
}

type OutputPart = Pick<OutputParameter, "type" | "outputBinding" | "secondaryFiles" | "format">;

function addOutput(output: OutputPart, place: string, sites: SiteList): void {
  const names = { runtime: ENDED_RUNTIME };
  const { outputBinding: binding } = output;
  if (binding !== undefined) {
    const { glob, outputEval, loadContents } = binding;
    for (const [index, pattern] of (glob ?? []).entries())
      sites.add(binding, ["glob", index], `${place}.outputBinding.glob`, pattern, names);
    // Even one match is in a list, so that a mistake such as `self.basename` is reported.
    const self = glob === undefined ? NOTHING : { type: FILES, hasContents: loadContents };
    sites.add(binding, ["outputEval"], `${place}.outputBinding.outputEval`, outputEval, { ...names, self });
  }
  addSecondaryFiles({ ...output, loadContents: true }, place, names, sites);
  for (const [index, format] of (output.format ?? []).entries())
    sites.add(output, ["format", index], `${place}.format`, format, { ...names, self: fileOf({ loadContents: true }) });
  const records = output.type.kind === "union" ? output.type.options : [output.type];
  for (const record of records.filter((type) => type.kind === "record"))
    for (const field of record.fields) addOutput(field, `${place}.${field.name}`, sites);
}

function addRequirements(requirements: RequirementSet, sites: SiteList): void {
  const names = { runtime: JOB_RUNTIME };
  addWorkDir(requirements, sites);
  for (const definition of requirements.get("EnvVarRequirement")?.envDef ?? []) {
    const place = `requirements.EnvVarRequirement.${definition.envName}`;
    sites.add(definition, ["envValue"], place, definition.envValue, names);
  }
  addFields(requirements, sites, "ResourceRequirement", RESOURCE_FIELDS, {});
  addFields(requirements, sites, "ToolTimeLimit", ["timelimit"], names);
  addFields(requirements, sites, "WorkReuse", ["enableReuse"], names);
  addFields(requirements, sites, "NetworkAccess", ["networkAccess"], names);
}

const RESOURCE_FIELDS = (["cores", "ram", "tmpdir", "outdir"] as const).flatMap((name) => [`${name}Min`, `${name}Max`]);

function addFields(
  requirements: RequirementSet,
  sites: SiteList,
  name: RequirementClass,
  fields: readonly string[],
  names: Partial<StaticNames>,
): void {
  const requirement = requirements.get(name);
  if (requirement === undefined) return;
  const values = new Map<string, unknown>(Object.entries(requirement));
  for (const field of fields)
    sites.add(requirement, [field], `requirements.${name}.${field}`, values.get(field), names);
}

function addWorkDir(requirements: RequirementSet, sites: SiteList): void {
  const workDir = requirements.get("InitialWorkDirRequirement");
  if (workDir === undefined) return;
  const place = "requirements.InitialWorkDirRequirement.listing";
  const names = { runtime: JOB_RUNTIME };
  const { listing } = workDir;
  if (typeof listing === "string") return sites.add(workDir, ["listing"], place, listing, names);
  for (const [index, entry] of listing.entries()) {
    const at = `${place}.${index}`;
    if (entry.kind === "expression") sites.add(workDir, ["listing", index], at, entry.expression, names);
    if (entry.kind !== "dirent") continue;
    sites.add(workDir, ["listing", index, "entry"], `${at}.entry`, entry.entry, names);
    sites.add(workDir, ["listing", index, "entryname"], `${at}.entryname`, entry.entryname, names);
  }
}

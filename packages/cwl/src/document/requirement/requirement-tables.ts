import type { CwlVersion } from "../../model/cwl-version.ts";
import {
  environmentNameProblem,
  type EnvironmentDef,
  type Requirement,
  type SoftwarePackage,
} from "../../model/requirement.ts";
import { listOf, listOrMap, oneOrList } from "../fields/collection-readers.ts";
import { shaped } from "../fields/field-info.ts";
import { omitUndefined } from "../fields/omit-undefined.ts";
import { optional, readFields, required, type FieldTable, type FieldValues } from "../fields/read-fields.ts";
import {
  boolean,
  booleanOrExpression,
  integerOrExpression,
  numberOrExpression,
  text,
} from "../fields/scalar-readers.ts";
import { isSince, readFrom, report, type Reader } from "../fields/scope.ts";
import { entryOf, positionOf, type MappingNode } from "../yaml/yaml-node.ts";
import type { LoadScope } from "../process/load-scope.ts";
import { shortName } from "../../values/resolve-reference.ts";
import { LOADING } from "../type/read-binding.ts";
import { readDefinitions } from "../type/read-definitions.ts";
import { SECRETS_REQUIREMENT } from "./extension-name.ts";
import { readWorkDirListing } from "./read-work-dir.ts";

export interface RequirementReader {
  /** The purpose of the requirement. */
  readonly doc: string;
  readonly fields: FieldTable<never>;
  /** First version of CWL that has the requirement. */
  readonly since: CwlVersion;
  readonly read: (node: MappingNode, scope: LoadScope) => Requirement | undefined;
}

function table<const F extends FieldTable<LoadScope>>(
  { doc, since = "v1.0" }: { readonly doc: string; readonly since?: CwlVersion },
  fields: F,
  build: (values: FieldValues<F>, node: MappingNode, scope: LoadScope) => Requirement | undefined,
): RequirementReader {
  const all = { ...fields, class: required(text, "The name of the requirement.", { type: "word" }) };
  const read: RequirementReader["read"] = (node, scope) => {
    const requirement = build(readFields(node, all, scope), node, scope);
    return requirement === undefined ? undefined : readFrom(node, requirement, scope);
  };
  return { doc, fields: all, since, read };
}

/** v1.0 also accepted strings, which have a meaning only if they are numbers. */
const size: Reader<number | string> = shaped({ type: "number or expression" }, (node, scope) => {
  if (isSince(scope, "v1.2")) return numberOrExpression(node, scope);
  const isText = node.kind === "scalar" && typeof node.value === "string" && /^[0-9]+$/.test(node.value);
  return isText && !isSince(scope, "v1.1") ? Number(node.value) : integerOrExpression(node, scope);
});

const RESOURCES = {
  coresMin: optional(size, "Minimum number of processor cores.", { default: "1" }),
  coresMax: optional(size, "Maximum number of processor cores."),
  ramMin: optional(size, "Minimum memory in MiB.", { default: "256" }),
  ramMax: optional(size, "Maximum memory in MiB."),
  tmpdirMin: optional(size, "Minimum temporary storage in MiB.", { default: "1024" }),
  tmpdirMax: optional(size, "Maximum temporary storage in MiB."),
  outdirMin: optional(size, "Minimum output storage in MiB.", { default: "1024" }),
  outdirMax: optional(size, "Maximum output storage in MiB."),
};

/** CWL v1.2 CommandLineTool.html#ResourceRequirement: it is an error if a maximum is less than its minimum. */
function readResources(values: FieldValues<typeof RESOURCES>, node: MappingNode, scope: LoadScope): Requirement {
  for (const resource of ["cores", "ram", "tmpdir", "outdir"] as const) {
    const [min, max] = [`${resource}Min`, `${resource}Max`] as const;
    for (const field of [min, max])
      if (isNegative(values[field])) reportAmount(node, scope, { field, message: `\`${field}\` is negative` });
    const [low, high] = [values[min], values[max]];
    if (typeof low === "number" && typeof high === "number" && high < low)
      reportAmount(node, scope, { field: max, message: `\`${max}\` (${high}) is less than \`${min}\` (${low})` });
  }
  return { class: "ResourceRequirement", ...omitUndefined(values) };
}

function isNegative(amount: number | string | undefined): boolean {
  return typeof amount === "number" && amount < 0;
}

interface AmountProblem {
  readonly field: string;
  readonly message: string;
}

function reportAmount(node: MappingNode, scope: LoadScope, { field, message }: AmountProblem): void {
  report(scope, entryOf(node, field)?.value ?? node, { code: "bad-amount", message });
}

const DOCKER = {
  dockerPull: optional(text, "The image to pull."),
  dockerLoad: optional(text, "The URL of an image archive."),
  dockerFile: optional(text, "The content of a Dockerfile."),
  dockerImport: optional(text, "An image to import."),
  dockerImageId: optional(text, "The id of a local image."),
  dockerOutputDirectory: optional(text, "The output folder inside the container.", { type: "path" }),
};

export const ENVIRONMENT_DEF = {
  envName: required(text, "The name of the variable."),
  envValue: required(text, "The value of the variable.", { type: "text or expression" }),
};

function readEnvironmentDef(node: MappingNode, scope: LoadScope): EnvironmentDef | undefined {
  const { envName, envValue } = readFields(node, ENVIRONMENT_DEF, scope);
  if (envName === undefined || envValue === undefined) return undefined;
  const message = environmentNameProblem(envName);
  if (message !== undefined)
    return report(scope, entryOf(node, "envName")?.value ?? node, { code: "bad-name", message });
  return readFrom(node, { envName, envValue }, scope);
}

export const PACKAGE = {
  package: required(text, "The name of the package."),
  version: optional(listOf(text), "Versions that are known to work."),
  specs: optional(oneOrList(text), "Pages that describe the package.", { type: "IRI or list" }),
};

function readPackage(node: MappingNode, scope: LoadScope): SoftwarePackage | undefined {
  const { package: name, version = [], specs = [] } = readFields(node, PACKAGE, scope);
  return name === undefined ? undefined : { package: name, version, specs };
}

/** Extensions of the reference runner that no later version contains, by their full names. */
export const EXTENSION_READERS: ReadonlyMap<string, RequirementReader> = new Map([
  [
    SECRETS_REQUIREMENT,
    table(
      { doc: "Inputs whose values appear in no record." },
      { secrets: required(listOf(text)) },
      ({ secrets = [] }, node) => ({
        class: "Secrets",
        secrets: secrets.map(shortName),
        position: positionOf(node),
      }),
    ),
  ],
]);

/** Each requirement of CWL v1.2, by its class. CWL v1.2 CommandLineTool.html#Requirements_and_hints. */
export const REQUIREMENT_READERS: ReadonlyMap<string, RequirementReader> = new Map(
  Object.entries({
    InlineJavascriptRequirement: table(
      { doc: "Allows JavaScript in expressions." },
      { expressionLib: optional(listOf(text), "JavaScript that all expressions can use.") },
      ({ expressionLib = [] }) => ({ class: "InlineJavascriptRequirement", expressionLib }),
    ),
    SchemaDefRequirement: table(
      { doc: "Defines types with names." },
      {
        types: required(readDefinitions, "Types that parameters refer to by name.", {
          type: "list of types",
          of: "type",
        }),
      },
      ({ types = [] }) => ({ class: "SchemaDefRequirement", types }),
    ),
    DockerRequirement: table({ doc: "The container image that the tool runs in." }, DOCKER, (values) => ({
      class: "DockerRequirement",
      ...omitUndefined(values),
    })),
    SoftwareRequirement: table(
      { doc: "The software packages that the tool needs." },
      {
        packages: required(
          listOrMap({ of: "softwarePackage", subject: "package", predicate: "specs", readItem: readPackage }),
          "The packages that the tool needs.",
        ),
      },
      ({ packages = [] }) => ({ class: "SoftwareRequirement", packages }),
    ),
    InitialWorkDirRequirement: table(
      { doc: "Puts files into the output folder before the job starts." },
      {
        listing: required(readWorkDirListing, "Files that the output folder holds before the job starts.", {
          type: "list or expression",
          of: "dirent",
        }),
      },
      ({ listing = [] }) => ({ class: "InitialWorkDirRequirement", listing }),
    ),
    EnvVarRequirement: table(
      { doc: "Sets environment variables." },
      {
        envDef: required(
          listOrMap({ of: "environmentDef", subject: "envName", predicate: "envValue", readItem: readEnvironmentDef }),
          "Environment variables of the job.",
        ),
      },
      ({ envDef = [] }) => ({ class: "EnvVarRequirement", envDef }),
    ),
    ShellCommandRequirement: table({ doc: "Runs the command line in a shell." }, {}, () => ({
      class: "ShellCommandRequirement",
    })),
    ResourceRequirement: table({ doc: "Cores, memory and storage that a job needs." }, RESOURCES, readResources),
    LoadListingRequirement: table(
      { doc: "The depth to which expressions see the content of Directories.", since: "v1.1" },
      { loadListing: { ...LOADING.loadListing, since: "v1.0" } },
      ({ loadListing: listing = "no_listing" }) => ({ class: "LoadListingRequirement", loadListing: listing }),
    ),
    WorkReuse: table(
      { doc: "Whether earlier results may be used.", since: "v1.1" },
      {
        enableReuse: optional(booleanOrExpression, "Earlier results of equal jobs may be used.", { default: "true" }),
      },
      ({ enableReuse = true }) => ({ class: "WorkReuse", enableReuse }),
    ),
    NetworkAccess: table(
      { doc: "Whether a job needs the network.", since: "v1.1" },
      { networkAccess: required(booleanOrExpression, "The job needs the network.", { default: "false" }) },
      ({ networkAccess = false }) => ({ class: "NetworkAccess", networkAccess }),
    ),
    InplaceUpdateRequirement: table(
      { doc: "Whether a job may change writable inputs in place.", since: "v1.1" },
      { inplaceUpdate: required(boolean, "The job may change writable inputs in place.", { default: "false" }) },
      ({ inplaceUpdate = false }) => ({ class: "InplaceUpdateRequirement", inplaceUpdate }),
    ),
    ToolTimeLimit: table(
      { doc: "The longest time that a job may take.", since: "v1.1" },
      { timelimit: required(integerOrExpression, "The longest time in seconds.") },
      ({ timelimit = 0 }) => ({ class: "ToolTimeLimit", timelimit }),
    ),
    SubworkflowFeatureRequirement: table({ doc: "Allows steps that run workflows." }, {}, () => ({
      class: "SubworkflowFeatureRequirement",
    })),
    ScatterFeatureRequirement: table({ doc: "Allows `scatter`." }, {}, () => ({ class: "ScatterFeatureRequirement" })),
    MultipleInputFeatureRequirement: table({ doc: "Allows several sources for one input." }, {}, () => ({
      class: "MultipleInputFeatureRequirement",
    })),
    StepInputExpressionRequirement: table({ doc: "Allows `valueFrom` in the inputs of steps." }, {}, () => ({
      class: "StepInputExpressionRequirement",
    })),
  }),
);

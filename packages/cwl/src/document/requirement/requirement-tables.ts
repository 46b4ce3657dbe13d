import type { CwlVersion } from "../../model/cwl-version.ts";
import type { EnvironmentDef, Requirement, SoftwarePackage } from "../../model/requirement.ts";
import { listOf, listOrMap, oneOrList } from "../fields/collection-readers.ts";
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
import { environmentNameProblem } from "../../model/requirement.ts";
import { entryOf, positionOf, type MappingNode } from "../yaml/yaml-node.ts";
import type { LoadScope } from "../process/load-scope.ts";
import { shortName } from "../../values/resolve-reference.ts";
import { loadListing } from "../type/read-binding.ts";
import { readDefinitions } from "../type/read-definitions.ts";
import { SECRETS_REQUIREMENT } from "./extension-name.ts";
import { readWorkDirListing } from "./read-work-dir.ts";

export interface RequirementReader {
  /** First version of CWL that has the requirement. */
  readonly since: CwlVersion;
  readonly read: (node: MappingNode, scope: LoadScope) => Requirement | undefined;
}

/** A requirement without fields. */
function flag(requirement: Requirement): RequirementReader {
  return table({}, () => requirement);
}

function table<const F extends FieldTable<LoadScope>>(
  fields: F,
  build: (values: FieldValues<F>, node: MappingNode, scope: LoadScope) => Requirement | undefined,
  since: CwlVersion = "v1.0",
): RequirementReader {
  const all = { ...fields, class: required(text) };
  const read: RequirementReader["read"] = (node, scope) => {
    const requirement = build(readFields(node, all, scope), node, scope);
    return requirement === undefined ? undefined : readFrom(node, requirement, scope);
  };
  return { since, read };
}

/** v1.0 also accepted strings, which have a meaning only if they are numbers. */
const size: Reader<number | string> = (node, scope) => {
  if (isSince(scope, "v1.2")) return numberOrExpression(node, scope);
  const isText = node.kind === "scalar" && typeof node.value === "string" && /^[0-9]+$/.test(node.value);
  return isText && !isSince(scope, "v1.1") ? Number(node.value) : integerOrExpression(node, scope);
};

const RESOURCES = {
  coresMin: optional(size),
  coresMax: optional(size),
  ramMin: optional(size),
  ramMax: optional(size),
  tmpdirMin: optional(size),
  tmpdirMax: optional(size),
  outdirMin: optional(size),
  outdirMax: optional(size),
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
  dockerPull: optional(text),
  dockerLoad: optional(text),
  dockerFile: optional(text),
  dockerImport: optional(text),
  dockerImageId: optional(text),
  dockerOutputDirectory: optional(text),
};

function readEnvironmentDef(node: MappingNode, scope: LoadScope): EnvironmentDef | undefined {
  const { envName, envValue } = readFields(node, { envName: required(text), envValue: required(text) }, scope);
  if (envName === undefined || envValue === undefined) return undefined;
  const message = environmentNameProblem(envName);
  if (message !== undefined)
    return report(scope, entryOf(node, "envName")?.value ?? node, { code: "bad-name", message });
  return readFrom(node, { envName, envValue }, scope);
}

const PACKAGE = {
  package: required(text),
  version: optional(listOf(text)),
  specs: optional(oneOrList(text)),
};

function readPackage(node: MappingNode, scope: LoadScope): SoftwarePackage | undefined {
  const { package: name, version = [], specs = [] } = readFields(node, PACKAGE, scope);
  return name === undefined ? undefined : { package: name, version, specs };
}

/** Extensions of the reference runner that no later version contains, by their full names. */
export const EXTENSION_READERS: ReadonlyMap<string, RequirementReader> = new Map([
  [
    SECRETS_REQUIREMENT,
    {
      since: "v1.0",
      read: (node, scope) => {
        const { secrets = [] } = readFields(node, { class: required(text), secrets: required(listOf(text)) }, scope);
        return { class: "Secrets", secrets: secrets.map(shortName), position: positionOf(node) };
      },
    },
  ],
]);

/** Each requirement of CWL v1.2, by its class. CWL v1.2 CommandLineTool.html#Requirements_and_hints. */
export const REQUIREMENT_READERS: ReadonlyMap<string, RequirementReader> = new Map([
  [
    "InlineJavascriptRequirement",
    table({ expressionLib: optional(listOf(text)) }, ({ expressionLib = [] }) => ({
      class: "InlineJavascriptRequirement",
      expressionLib,
    })),
  ],
  [
    "SchemaDefRequirement",
    table({ types: required(readDefinitions) }, ({ types = [] }) => ({
      class: "SchemaDefRequirement",
      types,
    })),
  ],
  ["DockerRequirement", table(DOCKER, (values) => ({ class: "DockerRequirement", ...omitUndefined(values) }))],
  [
    "SoftwareRequirement",
    table(
      {
        packages: required(listOrMap({ subject: "package", predicate: "specs", readItem: readPackage })),
      },
      ({ packages = [] }) => ({
        class: "SoftwareRequirement",
        packages,
      }),
    ),
  ],
  [
    "InitialWorkDirRequirement",
    table({ listing: required(readWorkDirListing) }, ({ listing = [] }) => ({
      class: "InitialWorkDirRequirement",
      listing,
    })),
  ],
  [
    "EnvVarRequirement",
    table(
      {
        envDef: required(listOrMap({ subject: "envName", predicate: "envValue", readItem: readEnvironmentDef })),
      },
      ({ envDef = [] }) => ({
        class: "EnvVarRequirement",
        envDef,
      }),
    ),
  ],
  ["ShellCommandRequirement", flag({ class: "ShellCommandRequirement" })],
  ["ResourceRequirement", table(RESOURCES, readResources)],
  [
    "LoadListingRequirement",
    table(
      { loadListing: optional(loadListing) },
      ({ loadListing: listing = "no_listing" }) => ({
        class: "LoadListingRequirement",
        loadListing: listing,
      }),
      "v1.1",
    ),
  ],
  [
    "WorkReuse",
    table(
      { enableReuse: optional(booleanOrExpression) },
      ({ enableReuse = true }) => ({ class: "WorkReuse", enableReuse }),
      "v1.1",
    ),
  ],
  [
    "NetworkAccess",
    table(
      { networkAccess: required(booleanOrExpression) },
      ({ networkAccess = false }) => ({ class: "NetworkAccess", networkAccess }),
      "v1.1",
    ),
  ],
  [
    "InplaceUpdateRequirement",
    table(
      { inplaceUpdate: required(boolean) },
      ({ inplaceUpdate = false }) => ({ class: "InplaceUpdateRequirement", inplaceUpdate }),
      "v1.1",
    ),
  ],
  [
    "ToolTimeLimit",
    table(
      { timelimit: required(integerOrExpression) },
      ({ timelimit = 0 }) => ({ class: "ToolTimeLimit", timelimit }),
      "v1.1",
    ),
  ],
  ["SubworkflowFeatureRequirement", flag({ class: "SubworkflowFeatureRequirement" })],
  ["ScatterFeatureRequirement", flag({ class: "ScatterFeatureRequirement" })],
  ["MultipleInputFeatureRequirement", flag({ class: "MultipleInputFeatureRequirement" })],
  ["StepInputExpressionRequirement", flag({ class: "StepInputExpressionRequirement" })],
]);

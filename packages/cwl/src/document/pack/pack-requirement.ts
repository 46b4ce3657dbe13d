import type { JsonObject, JsonValue } from "../../model/json-value.ts";
import type { Requirement, WorkDirEntry } from "../../model/requirement.ts";
import { ifTrue, jsonObject, unlessEmpty } from "./json-object.ts";
import type { PackScope } from "./pack-scope.ts";
import { packType } from "./pack-type.ts";
import { packValue } from "./pack-value.ts";

/** A requirement or hint in its full form. */
export function packRequirement(requirement: Requirement, scope: PackScope): JsonObject {
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

import type { CwlType } from "./cwl-type.ts";
import type { CwlValue } from "./cwl-value.ts";
import type { Expression, LoadListing } from "./binding.ts";
import type { SourcePosition } from "../diagnostic.ts";

/** Every requirement and hint of CWL v1.2, normalized: maps become lists, shorthands are expanded. */
export type Requirement =
  | { readonly class: "InlineJavascriptRequirement"; readonly expressionLib: readonly string[] }
  | { readonly class: "SchemaDefRequirement"; readonly types: readonly CwlType[] }
  | { readonly class: "LoadListingRequirement"; readonly loadListing: LoadListing }
  | DockerRequirement
  | { readonly class: "SoftwareRequirement"; readonly packages: readonly SoftwarePackage[] }
  | {
      readonly class: "InitialWorkDirRequirement";
      readonly listing: Expression | readonly WorkDirEntry[];
    }
  | { readonly class: "EnvVarRequirement"; readonly envDef: readonly EnvironmentDef[] }
  | { readonly class: "ShellCommandRequirement" }
  | ResourceRequirement
  | { readonly class: "WorkReuse"; readonly enableReuse: boolean | Expression }
  | { readonly class: "NetworkAccess"; readonly networkAccess: boolean | Expression }
  | { readonly class: "InplaceUpdateRequirement"; readonly inplaceUpdate: boolean }
  | { readonly class: "ToolTimeLimit"; readonly timelimit: number | Expression }
  | { readonly class: "SubworkflowFeatureRequirement" }
  | { readonly class: "ScatterFeatureRequirement" }
  | { readonly class: "MultipleInputFeatureRequirement" }
  | { readonly class: "StepInputExpressionRequirement" }
  | SecretsRequirement
  | UnknownRequirement;

export type RequirementClass = Exclude<Requirement["class"], "unknown">;

/** The extension `cwltool:Secrets`: inputs, by short name, whose strings are never shown or recorded. */
export interface SecretsRequirement {
  readonly class: "Secrets";
  readonly secrets: readonly string[];
  readonly position: SourcePosition;
}

export interface DockerRequirement {
  readonly class: "DockerRequirement";
  readonly dockerPull?: string;
  readonly dockerLoad?: string;
  readonly dockerFile?: string;
  readonly dockerImport?: string;
  readonly dockerImageId?: string;
  readonly dockerOutputDirectory?: string;
}

export interface SoftwarePackage {
  readonly package: string;
  readonly version: readonly string[];
  readonly specs: readonly string[];
}

export interface EnvironmentDef {
  readonly envName: string;
  readonly envValue: Expression;
}

/** Memory and storage in mebibytes (MiB), cores as numbers: CWL v1.2 CommandLineTool.html#ResourceRequirement. */
export interface ResourceRequirement {
  readonly class: "ResourceRequirement";
  readonly coresMin?: number | Expression;
  readonly coresMax?: number | Expression;
  readonly ramMin?: number | Expression;
  readonly ramMax?: number | Expression;
  readonly tmpdirMin?: number | Expression;
  readonly tmpdirMax?: number | Expression;
  readonly outdirMin?: number | Expression;
  readonly outdirMax?: number | Expression;
}

/** One entry of InitialWorkDirRequirement.listing: an expression, a literal value, or a Dirent. */
export type WorkDirEntry =
  | { readonly kind: "expression"; readonly expression: Expression }
  | { readonly kind: "value"; readonly value: CwlValue }
  | {
      readonly kind: "dirent";
      readonly entry: Expression;
      readonly entryname?: Expression;
      readonly writable: boolean;
    };

/** A hint that Weft does not know, kept for display; a requirement of this kind is an error of the document. */
export interface UnknownRequirement {
  readonly class: "unknown";
  readonly name: string;
}

/** A sentence that says why no variable can have this name; undefined if one can. POSIX forbids only `=` and NUL. */
export function environmentNameProblem(name: string): string | undefined {
  if (name === "") return "the name of an environment variable is empty";
  return /[=\0]/.test(name) ? `${JSON.stringify(name)} cannot be the name of an environment variable` : undefined;
}
